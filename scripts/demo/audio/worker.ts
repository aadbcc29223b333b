import { rename, writeFile } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import { encodeMp3 } from './mp3.ts'
import { renderSong } from './render-song.ts'
import { songFor } from './songs.ts'
import { RATE } from './stereo.ts'

/** What a worker is asked for, and what it answers once both files stand. */
export interface Order {
  slug: string
  file: string
  sidecar: string
}
export interface Delivery {
  slug: string
  seconds: number
}

parentPort?.on('message', async (order: Order) => {
  const sound = renderSong(songFor(order.slug))
  const seconds = sound.left.length / RATE
  // Renamed into place, so that a broken run leaves no half file; the sidecar last, as the seal.
  await writeFile(`${order.file}.part`, await encodeMp3(sound))
  await rename(`${order.file}.part`, order.file)
  await writeFile(order.sidecar, JSON.stringify({ seconds }))
  parentPort?.postMessage({ slug: order.slug, seconds } satisfies Delivery)
})
