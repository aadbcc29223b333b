import { parsePublicUrl } from '../../worker/community/previews/public-url.ts'
import { SUPPORTERS } from './fans.ts'
import { insertRows, type Row } from './insert.ts'
import { randomFrom } from './random.ts'

const DAY = 24 * 60 * 60 * 1000

/** Pictures that supporters have sent, by the artwork that draws them. */
export const FAN_PICTURES = ['fan-front-row', 'fan-turntable', 'fan-jacket'] as const
type FanPicture = (typeof FAN_PICTURES)[number]
/** The upload that holds one. */
export const fanUpload = (picture: FanPicture) => `up_demo_${picture.replaceAll('-', '_')}`

type Words = {
  text: string
  likes: number
  picture?: FanPicture
  link?: { url: string; title: string; description: string; site: string }
}

/** What supporters wrote, newest first. Hosts end in .example: nobody's. */
const posts: readonly Words[] = [
  { text: 'Eight days to the Shell. I have my spot on the lawn planned like a heist.', likes: 214 },
  {
    text: 'Third row, left side, and the low end went straight through my shoes. Worth every minute of the drive from Ocala.',
    likes: 388,
    picture: 'fan-front-row',
  },
  { text: 'Who else votes Skyway at Dusk for the video? The bridge part deserves a real bridge.', likes: 156 },
  {
    text: 'Somebody wrote down every place the lyrics mention, with a map. I am walking it on Sunday: https://harborlog.example/songs-on-the-water',
    likes: 97,
    link: {
      url: 'https://harborlog.example/songs-on-the-water',
      title: 'Songs on the water: a walk along the bay in eleven stops',
      description:
        'From the causeway to Seventh Avenue on foot: where the songs were written, and which bench has the best view of the lights.',
      site: 'Harbor Log',
    },
  },
  {
    text: 'Sunday routine: coffee, side A, coffee, side A again. Side B gets the evening.',
    likes: 302,
    picture: 'fan-turntable',
  },
  { text: 'Clip arrived. My mother asked whether it hurts. It does not, it clips. She has ordered one.', likes: 421 },
  {
    text: 'First show with my daughter. She knows every word of Palm Reader and I know every price at the merch table.',
    likes: 367,
  },
  { text: 'The a cappella ending they did in Orlando. Please, please put it on something I can play.', likes: 143 },
  {
    text: 'Painted my jacket for the tour. The record sinks into the bay between my shoulder blades now.',
    likes: 455,
    picture: 'fan-jacket',
  },
  { text: 'Is anybody going to the Brickyard from Sarasota? I have two empty seats and good snacks.', likes: 61 },
  { text: 'Checked in at the door, heard the +250 before I heard the opener.', likes: 118 },
  { text: 'Low Country Lightning in a thunderstorm with the windows open. That is the whole post.', likes: 276 },
  {
    text: 'My brother’s band learned the single on steel pans for the block party. Chords are here if you want them: https://panyard.example/gold',
    likes: 88,
    link: {
      url: 'https://panyard.example/gold',
      title: 'The single, arranged for tenor and double seconds',
      description: '',
      site: 'Panyard',
    },
  },
  { text: 'Verse three of last year’s challenge winner still lives in my head, rent paid.', likes: 132 },
  { text: 'Tip for the Shell: the ferry lands two minutes from the gate and nobody uses it.', likes: 240 },
  { text: 'I asked for Gainesville for the fourth time. I will keep asking. Hello, Gainesville.', likes: 171 },
  { text: 'Streak of 30 days. I have listened on a bus, in a boat and once in a dentist’s chair.', likes: 205 },
  { text: 'The ring on the poster IS a groove. I only saw it today. I have had it on my wall since June.', likes: 189 },
  { text: 'Hoodie report: two winters’ worth of heavy, and the foil survived the wash inside out.', likes: 94 },
  {
    text: 'We danced to Seventh Avenue Slow at our wedding on Saturday. Thank you for writing it slow enough for me.',
    likes: 512,
  },
  { text: 'Learning to play guitar at 54 because of one song. My neighbors know which one.', likes: 333 },
  { text: 'Does the balcony at the theatre have steps? Asking for my knees.', likes: 37 },
  { text: 'Gold over black for the sleeve, always. See you at the next vote.', likes: 78 },
  { text: 'Met four people from this page in the queue. We are now a car pool.', likes: 146 },
]

/** How many of the community's paid posts lie between two that are told: three weeks of them in all. */
const APART = 34

/**
 * The posts whose points the supporters' ledger holds already (`seedFans`): same author, same moment, same id, so that
 * a removed one takes its points back like any other. Likes are rows, which triggers count.
 */
export async function seedCommunity(db: D1Database, now: number, alts: ReadonlyMap<string, string>): Promise<void> {
  const random = randomFrom(1_000)
  const paid = await db
    .prepare(
      `SELECT user_id AS author, substr(key, 16) AS id, created_at AS at FROM ledger
       WHERE action = 'community_post' AND points > 0 ORDER BY created_at DESC, id LIMIT ?1`,
    )
    .bind(posts.length * APART)
    .all<{ author: number; id: string; at: number }>()
  const told = posts.flatMap((words, place) => {
    const row = paid.results[place * APART]
    return row ? [{ ...words, ...row }] : []
  })
  const pictured = told.flatMap(({ picture, author, at }) => (picture ? [{ picture, author, at }] : []))
  await insertRows(
    db,
    'uploads',
    ['id', 'kind', 'owner_id', 'created_at', 'stored_at', 'content_type', 'size_bytes', 'width', 'height'],
    pictured.map(({ picture, author, at }) => {
      const { width, height } = FAN_SIZES[picture]
      return [fanUpload(picture), 'picture', author, at, at, 'image/webp', 1, width, height]
    }),
  )
  await insertRows(
    db,
    'posts',
    ['id', 'author_id', 'text', 'created_at', 'picture_id', 'picture_alt', 'link_url'],
    told.map(
      ({ id, author, text, at, picture, link }): Row => [
        id,
        author,
        text,
        at,
        picture ? fanUpload(picture) : null,
        picture ? (alts.get(picture) ?? '') : '',
        link ? (parsePublicUrl(link.url, null)?.href ?? null) : null,
      ],
    ),
  )
  await insertRows(
    db,
    'link_previews',
    ['url', 'title', 'description', 'site_name', 'asked_at', 'tries', 'fetched_at'],
    told.flatMap(({ link, at }) => (link ? [[link.url, link.title, link.description, link.site, at, 1, at]] : [])),
  )
  const everybody = Array.from({ length: SUPPORTERS }, (_, i) => i + 1)
  const likes = told.flatMap(({ id, at, likes }) => {
    const from = random.whole(0, SUPPORTERS - likes - 1)
    const until = Math.min(now, at + 2 * DAY)
    return everybody
      .slice(from, from + likes)
      .map((user): Row => [id, user, Math.round(at + random.next() * (until - at))])
  })
  await insertRows(db, 'post_likes', ['post_id', 'user_id', 'liked_at'], likes)
}

/** Pixels of the masters, as the artwork draws them. */
export const FAN_SIZES: Readonly<Record<FanPicture, { width: number; height: number }>> = {
  'fan-front-row': { width: 1080, height: 1350 },
  'fan-turntable': { width: 1200, height: 900 },
  'fan-jacket': { width: 1080, height: 1080 },
}
