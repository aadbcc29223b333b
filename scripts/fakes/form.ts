export type Form = { [name: string]: string | Form }

/** Reads a body as Stripe's SDK writes it: `items[0][price]=p` is `{ items: { 0: { price: 'p' } } }`. */
export function parseForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== '')
    let place = form
    for (const part of path.slice(0, -1)) {
      place[part] = place[part] ?? {}
      place = place[part] as Form
    }
    place[path.at(-1) ?? ''] = value
  }
  return form
}

export const textAt = (form: Form, ...path: string[]): string | undefined => {
  let place: string | Form | undefined = form
  for (const part of path) place = typeof place === 'object' ? place[part] : undefined
  return typeof place === 'string' ? place : undefined
}
