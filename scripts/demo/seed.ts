import { seedMissions } from '../site/missions.ts'
import { artist, seedSite, seedSocialPosts, seedTiers } from './artist.ts'
import { seedDownloads, seedMasters, seedMusic, seedProducts } from './catalog.ts'
import { rescheduleOpenChallenge, seedFinishedChallenge, seedOpenChallenge } from './challenge.ts'
import { postImages, seedExclusivePosts, seedPosts } from './community.ts'
import { seedLoginHistory, seedLogins } from './logins.ts'
import { DEMO_PREFIX, MASTERS_PREFIX, updateImageUrls } from './media.ts'
import { seedDiscounts, seedOrders } from './orders.ts'
import { reschedulePolls, seedPolls } from './polls.ts'
import { seedProductViews, seedShippingAndTaxes } from './shop.ts'
import { rescheduleShows, seedShows } from './shows.ts'
import { seedSubscribersAndCityRequests, seedSupporters } from './supporters.ts'
import { demoAudioFiles, demoMasterFiles, imageFile, uploadMedia } from './upload-media.ts'

/** R2 prefix of user uploads. */
const UPLOADS_PREFIX = 'uploads'

type Stores = { db: D1Database; files: R2Bucket }

/** Seeds D1 and R2 with the demo artist. A later run uploads changed files and updates rows, see `seedRows`. */
export async function seedDemo({ db, files }: Stores, now: number, log: (line: string) => void): Promise<void> {
  const uploaded =
    (await uploadMedia(files, demoAudioFiles(), DEMO_PREFIX)) +
    (await uploadMedia(files, demoMasterFiles(), MASTERS_PREFIX))
  if (uploaded > 0) log(`Uploaded ${uploaded} audio files.`)
  // Only on the first run: a later one would upload images of deleted posts again.
  if (!(await isSeeded(db))) {
    const postImageFiles = postImages.map(({ image, uploadId }) => imageFile(image, `${UPLOADS_PREFIX}/${uploadId}`))
    await uploadMedia(files, postImageFiles, UPLOADS_PREFIX)
  }
  if (await seedRows(db, now)) log(`Seeded ${artist.name}: tracks, shows, merch, supporters, votes.`)
}

/**
 * Inserts the demo's rows. Returns false if the database was already seeded; then it only reschedules past shows,
 * challenges and polls, updates the URLs of changed images and adds rows introduced by later versions.
 */
export async function seedRows(db: D1Database, now: number): Promise<boolean> {
  if (await isSeeded(db)) {
    await rescheduleShows(db, now)
    await rescheduleOpenChallenge(db, now)
    await reschedulePolls(db, now)
    await updateImageUrls(db)
    // Rows that later versions of the demo added.
    await seedExclusivePosts(db, now)
    await seedShippingAndTaxes(db)
    await seedMasters(db, now)
    await seedDownloads(db)
    await seedProductViews(db, now)
    return false
  }
  await seedMusic(db, now)
  await seedMasters(db, now)
  await seedProducts(db)
  await seedDiscounts(db, now)
  await seedDownloads(db)
  await seedShippingAndTaxes(db)
  await seedOrders(db, now)
  await seedProductViews(db, now)
  await seedShows(db, now)
  await seedSupporters(db, now)
  await seedLogins(db, now)
  // Missions must exist before ledger entries: inserting the entry that completes a mission awards its points.
  await seedMissions(db)
  await seedLoginHistory(db, now)
  await seedPolls(db, now)
  await seedPosts(db, now)
  await seedExclusivePosts(db, now)
  await seedFinishedChallenge(db)
  await seedOpenChallenge(db, now)
  await seedSubscribersAndCityRequests(db, now)
  await seedTiers(db)
  await seedSocialPosts(db)
  // Last, because isSeeded reads this row.
  await seedSite(db, now)
  return true
}

const isSeeded = async (db: D1Database) => (await db.prepare('SELECT 1 FROM site').first()) !== null
