import { createServer } from 'node:net'

/** True when nothing listens on a port of this machine, on either loopback address. */
export async function isFree(port: number): Promise<boolean> {
  const free = (host: string) =>
    new Promise<boolean>((resolve) => {
      const probe = createServer()
      // A machine without IPv6 refuses ::1 with another error, which takes nothing from us.
      probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
      probe.listen(port, host, () => probe.close(() => resolve(true)))
    })
  return (await free('127.0.0.1')) && (await free('::1'))
}

/** The wanted port from PORT, 8787 otherwise. */
export function requestedPort(): number {
  const text = process.env.PORT ?? '8787'
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT must be a number from 1 to 65535, not "${text}".`)
  return port
}

/** A port that nothing listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port is free.')),
      )
    })
  })
}
