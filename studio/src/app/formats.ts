/** The registry of export formats, apart, because it brings the writers along and is needed only on request. */
export { EXPORTERS } from 'heddle/io';
