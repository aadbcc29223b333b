/** An address as seen from anywhere: a path of ours gets our origin in front, one that cannot be read is the origin. */
export function absoluteUrl(url: string, origin: string): string {
  return URL.canParse(url, origin) ? new URL(url, origin).href : `${origin}/`
}
