/** The address of a page, in the part after `#`, so that any static server will do. */

export type Route =
  | { readonly page: 'gallery' }
  | { readonly page: 'tour' }
  | { readonly page: 'scene'; readonly name: string }
  | { readonly page: 'share'; readonly code: string }
  /** A scene or run that was dropped in; it lives only as long as the page. */
  | { readonly page: 'dropped' };

/** `#/scene/NAME`, `#/share/CODE`, `#/tour`, `#/dropped`; anything else is the gallery. */
export function parseRoute(hash: string): Route {
  const [, page, rest = ''] = /^#\/([a-z]*)\/?(.*)$/s.exec(hash) ?? [];
  if (page === 'scene' && rest !== '') return { page, name: decodeName(rest) };
  if (page === 'share' && rest !== '') return { page, code: rest };
  if (page === 'tour' || page === 'dropped') return { page };
  return { page: 'gallery' };
}

/** A name as it was written, also when it is not properly escaped. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
