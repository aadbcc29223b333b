export type Form = { [name: string]: string | Form }

/** Parses a form body of Stripe's SDK: `items[0][price]=p` is `{ items: { 0: { price: 'p' } } }`. */
export function parseForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== '')
    let node = form
    for (const part of path.slice(0, -1)) {
      node[part] = node[part] ?? {}
      node = node[part] as Form
    }
    node[path.at(-1) ?? ''] = value
  }
  return form
}

export const textAt = (form: Form, ...path: string[]): string | undefined => {
  let node: string | Form | undefined = form
  for (const part of path) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : undefined
}
