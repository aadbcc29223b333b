import { seedMissions } from '../site/missions.ts'
import { artworks } from './art/catalogue.ts'
import { artist, MEDIA } from './artist.ts'
import { type Durations, seedShop, seedTracks } from './catalogue.ts'
import { seedChallenge } from './challenge.ts'
import { FAN_PICTURES, fanUpload, seedCommunity } from './community.ts'
import { seedPolls, seedWishes } from './crowd.ts'
import { redate, seedShows } from './dates.ts'
import { seedFans } from './fans.ts'
import { seedHistories, seedLogins } from './logins.ts'
import { storeMedia } from './media.ts'
import { seedNextChallenge } from './next-challenge.ts'
import { renderArt } from './render-art.ts'
import { renderAudio } from './render-audio.ts'
import { seedSite } from './site.ts'

/** Where the worker keeps what people send. */
const UPLOADS = 'uploads'

type Stores = { db: D1Database; files: R2Bucket }

type Options = { now: number; cacheDir: string; say: (line: string) => void }

/**
 * Fills an empty house with the demo artist: rows in D1, pictures and recordings in R2. Safe to run again: rows that
 * are there stay as they are, files that are there are not written again, dates move on when nothing is upcoming.
 */
export async function seedDemo({ db, files }: Stores, { now, cacheDir, say }: Options): Promise<void> {
  const [art, audio] = await Promise.all([renderArt(cacheDir), renderAudio(cacheDir)])
  const written = await storeMedia(files, [...art, ...audio], MEDIA)
  if (written > 0) say(`Stored ${written} pictures and recordings.`)
  // Supporters' pictures lie where supporters' pictures do, and only once: a removed post's stays removed.
  if ((await db.prepare('SELECT 1 FROM site').first()) === null)
    await storeMedia(
      files,
      art.flatMap((piece) => {
        const picture = FAN_PICTURES.find((one) => piece.key.startsWith(`${MEDIA}/${one}.`))
        if (!picture) return []
        return [{ ...piece, key: piece.key.replace(`${MEDIA}/${picture}.webp`, `${UPLOADS}/${fanUpload(picture)}`) }]
      }),
      UPLOADS,
    )
  const durations = new Map(audio.map(({ trackId, durationSeconds }) => [trackId, durationSeconds]))
  if (await seedRows(db, now, durations)) say(`${artist.name} has moved in: tracks, shows, merch, supporters, votes.`)
}

/** The rows alone. Returns whether there were none before. */
export async function seedRows(db: D1Database, now: number, durations: Durations = new Map()): Promise<boolean> {
  if ((await db.prepare('SELECT 1 FROM site').first()) !== null) {
    await redate(db, now)
    return false
  }
  const alts = new Map(artworks.map(({ key, alt }) => [key, alt]))
  await seedTracks(db, now, alts, durations)
  await seedShop(db, now, alts)
  await seedShows(db, now, alts)
  await seedFans(db, now)
  await seedLogins(db, now)
  // Before the acts that fulfil them: the ledger pays a mission with its act.
  await seedMissions(db)
  await seedHistories(db, now)
  await seedPolls(db, now)
  await seedCommunity(db, now, alts)
  await seedChallenge(db)
  await seedNextChallenge(db, now)
  await seedWishes(db, now)
  // Last: its row says that everything before it is there.
  await seedSite(db, now, alts)
  return true
}
