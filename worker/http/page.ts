import { cssHash } from '../../dist/server/styles.js'
import { SECURITY_POLICY } from './headers'

/** The policy of a page whose styles stand in the page: everybody's, and the hash of those styles. */
export const PAGE_POLICY = Object.entries({
  ...SECURITY_POLICY,
  styleSrcElem: [...SECURITY_POLICY.styleSrcElem, `'${cssHash}'`],
})
  .map(([name, values]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`)
  .join('; ')
