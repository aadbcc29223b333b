/**
 * A count as the site writes it: 1,000 and above as K, 1,000,000 and above as M, one decimal, '.0' dropped
 * (specification section 9, ruling 32). 999,950 is 1M, because its K would round to a thousand of them.
 */
export function formatCompactNumber(count: number): string {
  if (count >= 999_950) return `${oneDecimal(count / 1_000_000)}M`
  if (count >= 1_000) return `${oneDecimal(count / 1_000)}K`
  return String(count)
}

const oneDecimal = (value: number) => (Math.round(value * 10) / 10).toFixed(1).replace(/\.0$/, '')
