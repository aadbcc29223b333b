import { send } from './client'
import { NOON } from './seed'

/** The HTML of a page, as a visitor gets it at NOON. */
export const getPage = async (path: string) => (await send('GET', path, undefined, { at: NOON })).text()

/** Content of a page's meta tag, with HTML entities; undefined without the tag. */
export const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1]

/** The linked data of a page. */
export const linkedDataOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json ?? ''))
