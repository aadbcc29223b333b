export type ByteRange = { offset: number; length: number }

/**
 * Parses a Range header for a file of `size` bytes (RFC 9110, section 14). Returns 'whole' if the header is absent, has
 * another unit, or names several ranges of which one is satisfiable. R2 cannot do this: it ignores malformed ranges.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (header === undefined) return 'whole'
  const [, unit, rangeSet] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=(.*)$/s.exec(header) ?? []
  if (unit === undefined || rangeSet === undefined) return 'unsatisfiable'
  if (unit.toLowerCase() !== 'bytes') return 'whole'
  const ranges = rangeSet.split(',').map((range) => parseSingleRange(range.trim(), size))
  if (ranges.length > 1) return ranges.some((range) => range !== 'unsatisfiable') ? 'whole' : 'unsatisfiable'
  return ranges[0]!
}

function parseSingleRange(text: string, size: number): ByteRange | 'unsatisfiable' {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'unsatisfiable'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { offset: size - length, length } : 'unsatisfiable'
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (offset >= size || (last !== '' && Number(last) < offset)) return 'unsatisfiable'
  return { offset, length: end - offset + 1 }
}
