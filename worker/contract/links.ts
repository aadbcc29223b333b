// Ends before what closes a sentence or a bracket around it.
const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g

export type Link = { url: URL /** Where its words stand in the text, in UTF-16 units. */; from: number; to: number }

/** The web addresses in a text, http and https alone; one that hides where it leads behind a name is none. */
export function findLinks(text: string): Link[] {
  return [...text.matchAll(LINK)].flatMap(({ 0: address, index }) => {
    const url = URL.canParse(address) ? new URL(address) : null
    const isOpen = url && url.username === '' && url.password === ''
    return isOpen ? [{ url, from: index, to: index + address.length }] : []
  })
}
