/** A part of an object, in bytes. */
export type ByteRange = { offset: number; length: number }

/**
 * What a `Range` header asks of an object of `size` bytes (RFC 9110, section 14): a part, 'whole' where the header is
 * absent, of another unit or of several parts (a server may answer those whole), 'unsatisfiable' where it is malformed
 * or begins past the end. Parsed by us because the R2 binding silently returns everything for a bad range.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (header === undefined) return 'whole'
  const [, unit, set] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=(.*)$/s.exec(header) ?? []
  if (unit === undefined || set === undefined) return 'unsatisfiable'
  if (unit.toLowerCase() !== 'bytes') return 'whole'
  const parts = set.split(',').map((part) => parseSingleRange(part.trim(), size))
  if (parts.length > 1) return parts.some((part) => part !== 'unsatisfiable') ? 'whole' : 'unsatisfiable'
  return parts[0]!
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
