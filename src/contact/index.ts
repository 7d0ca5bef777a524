export * from './body-contact.ts';
export * from './dynamic-contact.ts';
