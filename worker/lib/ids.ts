/** A random, unguessable id: `prefix_` and 20 characters of A-Z a-z 0-9 _ - (120 bits). */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15))
  return `${prefix}_${btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')}`
}
