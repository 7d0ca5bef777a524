export * from './body-contact.ts';
