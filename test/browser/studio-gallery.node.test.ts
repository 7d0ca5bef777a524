/** One scene of each model in the studio; all of them are in `studio-gallery.long.node.test.ts`. */
import { testScenes } from './studio-gallery-scenes.ts';

testScenes(['strand-corner', 'rod-cantilever', 'fabric-hang', 'sheet-edge', 'mpm-sand-column', 'mixed-eyelet']);
