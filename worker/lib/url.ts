/** Resolves a URL against `origin`; returns the origin for an invalid one. */
export function absoluteUrl(url: string, origin: string): string {
  return URL.canParse(url, origin) ? new URL(url, origin).href : `${origin}/`
}
