import { send } from './client'

type Options = NonNullable<Parameters<typeof send>[3]>

/** A browser with a cookie jar and an address of its own: keeps what answers set, and sends it along. */
export function newBrowser({ address = '203.0.113.7', ...always }: Options & { address?: string } = {}) {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(method: string, path: string, json?: unknown, { headers, ...options }: Options = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await send(method, path, json, {
        ...always,
        ...options,
        headers: { 'cf-connecting-ip': address, ...(cookie && { cookie }), ...headers },
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}
export type Browser = ReturnType<typeof newBrowser>
