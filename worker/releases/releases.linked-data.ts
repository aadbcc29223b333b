import type { MusicAlbum, MusicRecording, WithContext } from 'schema-dts'
import {
  type AnnouncedRelease,
  type Release,
  type ReleaseTrack,
  releasePath,
  releaseTitle,
  trackPath,
  trackTitle,
} from '../contract/releases'
import { formatDayInZone, utcToZonedTime } from '../contract/zoned-time'
import { absoluteUrl } from '../lib/url'

type Artist = { id: string; name: string; timeZone: string }
type PageMeta = { title: string; description: string; path: string }

const ALBUM_RELEASE_TYPE = { single: 'SingleRelease', ep: 'EPRelease', album: 'AlbumRelease' } as const

/** schema.org MusicAlbum with its tracks. */
export function musicAlbum(release: Release, artist: Artist, origin: string): WithContext<MusicAlbum> {
  return {
    '@context': 'https://schema.org',
    ...albumData(release, artist, origin),
    image: absoluteUrl(release.coverUrl, origin),
    ...(release.notes && { description: release.notes }),
    numTracks: release.trackCount,
    ...(release.label && { recordLabel: { '@type': 'Organization', name: release.label } }),
    track: {
      '@type': 'ItemList',
      numberOfItems: release.tracks.length,
      itemListElement: release.tracks.map((track, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        item: recordingData(track, artist, origin),
      })),
    },
  }
}

/** schema.org MusicRecording on its release. */
export function musicRecording(
  release: Release,
  track: ReleaseTrack,
  artist: Artist,
  origin: string,
): WithContext<MusicRecording> {
  return {
    '@context': 'https://schema.org',
    ...recordingData(track, artist, origin),
    image: absoluteUrl(track.coverUrl, origin),
    inAlbum: albumData(release, artist, origin),
    ...(track.lyrics && {
      recordingOf: {
        '@type': 'MusicComposition' as const,
        name: track.title,
        lyrics: { '@type': 'CreativeWork' as const, text: track.lyrics.plain },
      },
    }),
  }
}

/** schema.org MusicAlbum before its release. */
export const announcedAlbum = (release: AnnouncedRelease, artist: Artist, origin: string): WithContext<MusicAlbum> => ({
  '@context': 'https://schema.org',
  ...albumData(release, artist, origin),
  image: absoluteUrl(release.coverUrl, origin),
})

const albumData = (release: Release | AnnouncedRelease, artist: Artist, origin: string) => ({
  '@type': 'MusicAlbum' as const,
  '@id': `${origin}${releasePath(release.slug)}#release`,
  url: `${origin}${releasePath(release.slug)}`,
  name: release.title,
  albumReleaseType: `https://schema.org/${ALBUM_RELEASE_TYPE[release.kind]}` as const,
  datePublished: utcToZonedTime(Date.parse(release.releasedAt), artist.timeZone).date,
  byArtist: byArtist(artist, origin),
})

const recordingData = (track: ReleaseTrack, artist: Artist, origin: string) => ({
  '@type': 'MusicRecording' as const,
  '@id': `${origin}${canonicalTrackPath(track)}#track`,
  url: `${origin}${canonicalTrackPath(track)}`,
  name: track.title,
  duration: `PT${Math.floor(track.durationSeconds / 60)}M${track.durationSeconds % 60}S`,
  byArtist: byArtist(artist, origin),
  ...(track.isrc && { isrcCode: track.isrc }),
})

const byArtist = ({ id, name }: Artist, origin: string) => ({
  '@type': 'MusicGroup' as const,
  '@id': id,
  name,
  url: `${origin}/`,
})

/** The one canonical path of a track that may be on several releases: that on the earliest. */
const canonicalTrackPath = ({ slug, releases: [earliest] }: ReleaseTrack) => trackPath(earliest?.slug ?? slug, slug)

/** Title and description of the page that counts down to a release. */
export function announcedMeta(release: AnnouncedRelease, timeZone: string): Omit<PageMeta, 'path'> {
  return {
    title: releaseTitle(release),
    description: `${titleWithKind(release)}, comes out ${formatDayInZone(release.releasedAt, timeZone)}. See the countdown.`,
  }
}

const KIND_WITH_ARTICLE = { single: 'a single', ep: 'an EP', album: 'an album' } as const

/** 'Night Drive, an EP by the artist'. */
const titleWithKind = ({ title, artist, kind }: AnnouncedRelease) => `${title}, ${KIND_WITH_ARTICLE[kind]} by ${artist}`

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** '3 tracks, 9 minutes'. */
export const releaseLength = ({ trackCount, durationSeconds }: Pick<Release, 'trackCount' | 'durationSeconds'>) =>
  `${plural(trackCount, 'track')}, ${plural(Math.max(1, Math.round(durationSeconds / 60)), 'minute')}`

/** Title, description and path of a release page, for search results and link previews. */
export function releaseMeta(release: Release, timeZone: string): PageMeta {
  return {
    title: releaseTitle(release),
    description: `${titleWithKind(release)}. Released ${formatDayInZone(release.releasedAt, timeZone)}: ${releaseLength(release)}. Listen, read the lyrics and the credits.`,
    path: releasePath(release.slug),
  }
}

/** Title, description and canonical path of a track page. */
export function trackMeta(release: Release, track: ReleaseTrack): PageMeta {
  return {
    title: trackTitle(release, track),
    description: `${track.title} by ${track.artist}${track.title === release.title ? '' : `, from ${release.title}`}. Listen, ${track.lyrics ? 'read the lyrics' : 'see the credits'} and share it.`,
    path: canonicalTrackPath(track),
  }
}
