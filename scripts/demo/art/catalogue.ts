/**
 * Every picture of the demo artist, drawn by this folder.
 *
 * A piece is a function that returns SVG text: no files, no fonts, no chance but seeded chance, so that every machine
 * draws the same picture. `render-art.ts` beside this folder turns the text into WebP and PNG.
 *
 *   palette, random, svg, grain     inks, seeded chance, the few words of SVG, print texture
 *   disc                            the grooved sun that every piece carries
 *   scenery/                        water, skyline, palms, bridge
 *   covers/ product/ venues/ posts/ fans/ marks/   the pieces, one scene a file
 *
 * To change a picture: edit its scene, run `node scripts/demo/render-art.ts --out DIR` and look.
 */
import { HERO_IMAGE, SHOW_IMAGE } from '../../../worker/contract/images.ts'
import { artist, tracks } from '../artist.ts'
import { FAN_SIZES } from '../community.ts'
import { giltTide } from './covers/gilt-tide.ts'
import { harborLights } from './covers/harbor-lights-demo.ts'
import { lowCountryLightning } from './covers/low-country-lightning.ts'
import { palmReader } from './covers/palm-reader.ts'
import { seventhAvenueSlow } from './covers/seventh-avenue-slow.ts'
import { skywayAtDusk } from './covers/skyway-at-dusk.ts'
import { frontRow } from './fans/front-row.ts'
import { jacket } from './fans/jacket.ts'
import { turntable } from './fans/turntable.ts'
import { hero } from './hero.ts'
import { heroPortrait } from './hero-portrait.ts'
import { icon, maskableIcon } from './marks/icon.ts'
import { openGraph } from './marks/open-graph.ts'
import { encore } from './posts/encore.ts'
import { studio } from './posts/studio.ts'
import { hoodie } from './product/hoodie.ts'
import { noseClipInBox, noseClipMacro, noseClipOnVelvet } from './product/nose-clips.ts'
import { amphitheatre } from './venues/amphitheatre.ts'
import { ballroom } from './venues/ballroom.ts'
import { club } from './venues/club.ts'
import { rooftop } from './venues/rooftop.ts'
import { theatre } from './venues/theatre.ts'

export type Artwork = {
  key: string
  /** Size of the master raster in pixels. */
  width: number
  height: number
  /** What a person who cannot see the picture is told. */
  alt: string
  svg: () => string
  format: 'webp' | 'png'
  /** Widths in pixels of the smaller renditions. */
  widths: readonly number[]
}

type TrackSlug = (typeof tracks)[number]['slug']

const covers: Readonly<Record<TrackSlug, { svg: () => string; alt: string }>> = {
  'gilt-tide': {
    svg: giltTide,
    alt: 'Record sleeve: a gold record sinks into the bay like a sun while a lone figure in a long coat walks home over the gilded swell.',
  },
  'skyway-at-dusk': {
    svg: skywayAtDusk,
    alt: 'Record sleeve: the road runs under two harps of gold bridge cables at dusk, head and tail lights drawn out to the horizon, a gold disc setting behind the mast.',
  },
  'seventh-avenue-slow': {
    svg: seventhAvenueSlow,
    alt: 'Record sleeve: a streetcar comes down a wet brick avenue of lit arches and iron galleries, under strings of bulbs and a low gold moon with grooves.',
  },
  'palm-reader': {
    svg: palmReader,
    alt: 'Record sleeve: an open hand engraved in gold holds a small gold record in its palm before teal palm fronds and an arc of moons.',
  },
  'low-country-lightning': {
    svg: lowCountryLightning,
    alt: 'Record sleeve: lightning comes down like a needle on a gold record that lies on the marsh, its grooves running on as ripples.',
  },
  'harbor-lights-demo': {
    svg: harborLights,
    alt: 'Record sleeve: sloops ride at their moorings in a teal harbor under cranes, and the pale moon is a record ringed like the dial of a vault.',
  },
}

type Drawn = readonly [svg: () => string, alt: string]

const noseClips: readonly Drawn[] = [
  [
    noseClipOnVelvet,
    'The gold nose clip on wine-dark velvet: an open hoop that ends in a bead and in a tiny grooved record.',
  ],
  [
    noseClipMacro,
    'The nose clip from very near: light runs along the hoop, and the grooves of its small gold record can be counted.',
  ],
  [noseClipInBox, 'The nose clip in its open box on a dark table, the lid beside it printed like a record sleeve.'],
]

const venues: readonly Drawn[] = [
  [
    amphitheatre,
    'A waterfront amphitheatre at dusk: a lit stage under white sails, the crowd on the lawn, a gold disc low over the bay.',
  ],
  [
    ballroom,
    'A brick ballroom: a band in the middle arch before red drapes, a mirror ball scattering light over the crowd.',
  ],
  [rooftop, 'A rooftop at night: a small band under strings of bulbs, towers around, a gold moon with grooves.'],
  [
    club,
    'A club stage: a band in outline before a huge gold record, beams of gold, red and teal, raised arms in front.',
  ],
  [
    theatre,
    'An old theatre front at night: a blade of bulbs topped by a gold disc, a glowing canopy, people waiting on the wet street.',
  ],
]

const posts: readonly Drawn[] = [
  [
    studio,
    'The studio after midnight: a tape machine with two gold reels in lamplight, faders in front, the bay in the window.',
  ],
  [encore, 'The last song: a field of raised hands before the band, a gold record standing behind it like a sun.'],
]

const numbered = (
  name: string,
  pieces: readonly Drawn[],
  width: number,
  height: number,
  widths: readonly number[],
): Artwork[] =>
  pieces.map(([svg, alt], index) => ({ key: `${name}-${index + 1}`, width, height, alt, svg, format: 'webp', widths }))

/** What supporters have sent, in the widths that their browsers make. */
const fan = (name: 'front-row' | 'turntable' | 'jacket', svg: () => string, alt: string): Artwork => ({
  key: `fan-${name}`,
  ...FAN_SIZES[`fan-${name}`],
  alt,
  svg,
  format: 'webp',
  widths: [320, 640, 960],
})

export const artworks: readonly Artwork[] = [
  {
    key: 'hero',
    width: HERO_IMAGE.landscape.width,
    height: HERO_IMAGE.landscape.height,
    svg: hero,
    format: 'webp',
    widths: HERO_IMAGE.landscape.widths,
    alt: 'A gold record sets like a sun behind a cable-stayed causeway; star trails circle it, towers and palms stand against it, and its light lies broken on the dark bay.',
  },
  {
    key: 'hero-portrait',
    width: HERO_IMAGE.portrait.width,
    height: HERO_IMAGE.portrait.height,
    svg: heroPortrait,
    format: 'webp',
    widths: HERO_IMAGE.portrait.widths,
    alt: 'A gold record sets behind the causeway over the dark bay, a tall palm at its right.',
  },
  ...tracks.map(
    ({ slug }): Artwork => ({
      key: `cover-${slug}`,
      width: 1200,
      height: 1200,
      format: 'webp',
      widths: [160, 320, 640, 960],
      ...covers[slug],
    }),
  ),
  ...numbered('nose-clip', noseClips, 1200, 1200, [320, 640, 960]),
  {
    key: 'hoodie',
    width: 1200,
    height: 1200,
    svg: hoodie,
    format: 'webp',
    widths: [320, 640, 960],
    alt: 'A heavy black hoodie laid flat on a dark table, a gold foil sun with record grooves over waves on its chest, gold tips on its cords.',
  },
  ...numbered('venue', venues, SHOW_IMAGE.width, SHOW_IMAGE.height, SHOW_IMAGE.widths),
  ...numbered('post', posts, 1080, 1350, [320, 640]),
  fan(
    'front-row',
    frontRow,
    'From the third row: a singer and a guitarist before teal drapes and a gold disc, heads of the crowd in front.',
  ),
  fan(
    'turntable',
    turntable,
    'A gold record with a red label turns on a record player by a warm lamp, seen from above.',
  ),
  fan('jacket', jacket, 'The back of a denim jacket on a hook, painted with a gold record that sinks into teal waves.'),
  {
    key: 'icon',
    width: 512,
    height: 512,
    svg: icon,
    format: 'png',
    widths: [32, 180, 192],
    alt: 'A grooved gold sun with a red label, half under two waves.',
  },
  {
    key: 'icon-maskable',
    width: 512,
    height: 512,
    svg: maskableIcon,
    format: 'png',
    widths: [32, 180, 192],
    alt: 'A grooved gold sun with a red label, half under two waves.',
  },
  {
    key: 'og',
    width: 1200,
    height: 630,
    svg: openGraph,
    format: 'png',
    widths: [],
    alt: `${artist.name} in gold capitals under a gold record that sets behind a cable-stayed causeway.`,
  },
]
