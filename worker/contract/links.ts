// Excludes punctuation that closes a sentence or bracket around the link.
const LINK_PATTERN = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g

/** `from` and `to`: position in the text, in UTF-16 code units. */
type Link = { url: URL; from: number; to: number }

/** http and https links in a text, without those that contain credentials. */
export function findLinks(text: string): Link[] {
  return [...text.matchAll(LINK_PATTERN)].flatMap(({ 0: address, index }) => {
    const url = URL.canParse(address) ? new URL(address) : null
    return url && url.username === '' && url.password === '' ? [{ url, from: index, to: index + address.length }] : []
  })
}
