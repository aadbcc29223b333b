import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

/** True if neither loopback address has a listener on the port. */
export async function isPortFree(port: number): Promise<boolean> {
  const isFreeOn = (host: string) =>
    new Promise<boolean>((resolve) => {
      const probe = createServer()
      // Without IPv6, ::1 fails with another error, which is fine.
      probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
      probe.listen(port, host, () => probe.close(() => resolve(true)))
    })
  return (await isFreeOn('127.0.0.1')) && (await isFreeOn('::1'))
}

/** The environment's PORT, or 8787. @throws Error if it is not a port. */
export function requestedPort(): number {
  const text = process.env.PORT ?? '8787'
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT must be a number from 1 to 65535, not "${text}".`)
  return port
}

/** Starts a server on a free port of 127.0.0.1. `close` also ends open connections. */
export async function listenOnLoopback(
  server: Server,
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, port, close }
}

/** A port without a listener on 127.0.0.1; another program may take it before the caller does. */
export function findFreePort(): Promise<number> {
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
