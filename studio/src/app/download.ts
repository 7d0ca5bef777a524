/** Files that leave the page: by a link that is clicked for the user. */

/** Offers bytes or text as a file to keep. */
export function downloadFile(name: string, parts: BlobPart[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replaceAll('/', '-');
  link.click();
  // the browser reads the address after the click
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A name for a file, from a scene's own. */
export function computeFileName(name: string, extension: string): string {
  return `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80) || 'heddle'}${extension}`;
}
