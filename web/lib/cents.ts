/** Integer cents as they are typed: '19.99', '15'. */
export const centsToDollars = (cents: number): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)

/** `'$1,250.5'` is 125050: by its digits, never by a fraction. Null for what is no amount. */
export function parseCents(text: string): number | null {
  const [, whole, part = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'))
}
