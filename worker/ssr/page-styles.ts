import { type Sheet, sheets } from '../../dist/server/styles.js'
import { SECURITY_POLICY } from '../http/headers'

/** The styles of a page of the app: everybody's, and what the screen brings along. */
export function stylesFor(screen: keyof typeof sheets | null): Sheet[] {
  return screen ? [sheets.app, sheets[screen]] : [sheets.app]
}

/** The policy of a page whose styles stand in the page: everybody's, and the hashes of those styles. */
export const policyWithStyles = (styles: readonly Sheet[]) =>
  Object.entries({
    ...SECURITY_POLICY,
    styleSrcElem: [...SECURITY_POLICY.styleSrcElem, ...styles.map(({ hash }) => `'${hash}'`)],
  })
    .map(([name, values]) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`)
    .join('; ')
