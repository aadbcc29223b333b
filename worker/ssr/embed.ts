import { html, raw } from 'hono/html'
import { resizedImageUrl } from '../contract/images'
import type { Release, ReleaseTrack } from '../contract/releases'
import { releasePath, trackPath } from '../contract/releases'
import { MIN_STREAM_SECONDS, tracksApi } from '../contract/tracks'
import { absoluteUrl } from '../lib/url'

/** Title, address and tracks of an embed: a release, or one track of it. */
export type EmbedContent = { title: string; artist: string; path: string; tracks: readonly ReleaseTrack[] } & Pick<
  Release,
  'coverUrl' | 'coverAlt'
>

/** The content of an embed; null if the release has no such track. */
export function embedContent(release: Release, trackSlug?: string): EmbedContent | null {
  if (trackSlug === undefined) return { ...release, path: releasePath(release.slug) }
  const track = release.tracks.find(({ slug }) => slug === trackSlug)
  return track ? { ...track, path: trackPath(release.slug, track.slug), tracks: [track] } : null
}

/** URL of a track's audio for embeds and podcast apps. */
export const embedAudioUrl = (origin: string, trackId: number) =>
  origin + tracksApi.embedAudio.path.replace(':id', String(trackId))

/**
 * The player that other sites show in an iframe, and its security policy. A sandboxed frame has an opaque origin and
 * cannot load the app's fonts and scripts, so styles and script are inline, allowed by hash.
 */
export async function embedPage(content: EmbedContent, origin: string, imagesOrigin: string | null) {
  const { title, artist, path, coverUrl, coverAlt, tracks } = content
  const isPlayable = (track: ReleaseTrack) => track.hasAudio && !track.isExclusive
  const url = origin + path
  const body = html`<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} by ${artist}</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${url}">
<style>${raw(STYLES)}</style>
</head>
<body>
<img class="glow" src="${absoluteUrl(resizedImageUrl(coverUrl, 320), origin)}" alt="" width="320" height="320">
<main>
<img src="${absoluteUrl(resizedImageUrl(coverUrl, 320), origin)}" alt="${coverAlt}" width="112" height="112">
<div class="now">
<h1><a href="${url}" target="_blank" rel="noopener">${title}</a></h1>
<p>${artist}</p>
${
  tracks.some(isPlayable)
    ? html`<div class="controls"><button id="play" type="button" aria-label="Play"></button>
<input id="seek" type="range" min="0" max="1000" value="0" aria-label="Position"><span id="time">0:00</span></div>`
    : html`<p><a href="${url}" target="_blank" rel="noopener">Listen on the site</a></p>`
}
<p id="status" role="status"></p>
</div>
</main>
<ol${tracks.length === 1 ? raw(' hidden') : ''}>
${tracks.map((track) =>
  isPlayable(track)
    ? html`<li><button type="button" data-id="${String(track.id)}" data-src="${embedAudioUrl(origin, track.id)}" data-seconds="${String(track.durationSeconds)}"><span>${track.title}</span><span>${formatClock(track.durationSeconds)}</span></button></li>`
    : html`<li><a href="${url}" target="_blank" rel="noopener"><span>${track.title}</span><span>${track.isExclusive ? 'Members' : formatClock(track.durationSeconds)}</span></a></li>`,
)}
</ol>
<script>${raw(SCRIPT)}</script>
</body>
</html>`
  const policy = [
    "default-src 'none'",
    `script-src ${await hashSource(SCRIPT)}`,
    `style-src ${await hashSource(STYLES)}`,
    // 'self' may match nothing in a sandboxed frame.
    ['img-src', origin, imagesOrigin].filter(Boolean).join(' '),
    ...['media-src', 'connect-src'].map((directive) => `${directive} ${origin}`),
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ')
  return { body: String(await body), policy }
}

const formatClock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}

// The colors are those of web/styles/index.css.
const STYLES = `
:root{color-scheme:dark;--background:oklch(.145 .006 75);--rule:oklch(.34 .018 80);--ivory:oklch(.952 .014 88);--muted:oklch(.78 .026 84);--gold:oklch(.815 .128 86)}
*{box-sizing:border-box;margin:0}
html,body{height:100%}
body{display:flex;flex-direction:column;background:var(--background);color:var(--ivory);font:400 16px/1.4 system-ui,sans-serif;overflow:hidden}
main{display:flex;gap:16px;padding:16px;align-items:center;flex:none}
img{flex:none;object-fit:cover;background:var(--rule)}
.glow{position:fixed;z-index:-1;inset:0;width:100%;height:100%;filter:blur(40px) saturate(1.35) brightness(.32);transform:scale(1.4)}
main img{outline:1px solid oklch(.952 .014 88/.16);outline-offset:-1px;box-shadow:0 12px 28px -8px oklch(0 0 0/.9)}
.now{flex:1;min-width:0}
h1{font-size:22px;line-height:1.15;font-weight:800;letter-spacing:-.015em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
p{font-size:14px;color:var(--muted);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
a{color:inherit;text-decoration:none}
a:hover{text-decoration:underline;text-underline-offset:3px}
.controls{display:flex;gap:12px;align-items:center;margin-top:8px}
#play{flex:none;width:48px;height:48px;border:0;border-radius:50%;background:var(--gold);cursor:pointer;display:grid;place-items:center}
#play::before{content:"";width:16px;height:18px;background:var(--background);clip-path:polygon(12% 0,100% 50%,12% 100%)}
#play[aria-label=Pause]::before{clip-path:polygon(0 0,36% 0,36% 100%,0 100%,0 0,64% 0,100% 0,100% 100%,64% 100%,64% 0)}
#seek{flex:1;min-width:0;height:24px;accent-color:var(--gold)}
#time{font-size:14px;font-variant-numeric:tabular-nums;color:var(--muted)}
#status:empty{display:none}
ol{flex:1;min-height:0;overflow-y:auto;padding:0;list-style:none;counter-reset:track;border-top:1px solid var(--rule)}
ol[hidden]{display:none}
li{counter-increment:track;border-bottom:1px solid var(--rule)}
li>*{display:flex;gap:12px;align-items:center;width:100%;min-height:48px;padding:8px 16px;border:0;background:none;color:inherit;font:inherit;text-align:left;cursor:pointer}
li>*::before{content:counter(track,decimal-leading-zero);color:var(--muted);font-size:14px;font-variant-numeric:tabular-nums}
li span:first-child{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
li span:last-child{color:var(--muted);font-size:14px;font-variant-numeric:tabular-nums}
li>a{color:var(--muted)}
[aria-current]{color:var(--gold)!important}
:focus-visible{outline:2px solid var(--gold);outline-offset:2px}
li>:focus-visible{outline-offset:-3px}
@media (max-width:340px){main img{width:72px;height:72px}}
@media (forced-colors:active){.glow{display:none}}
`

/**
 * Plays the tracks in order. The audio response has the listen's token in a header, which `new Audio()` cannot read, so
 * the script sends a second request and cancels it once it has the token.
 */
const SCRIPT = `
(() => {
  const tracks = [...document.querySelectorAll('button[data-id]')]
  const [play, seek, time, status] = ['play', 'seek', 'time', 'status'].map((id) => document.getElementById(id))
  if (!play) return
  const audio = new Audio()
  let index = -1
  let listen = null
  let position = 0
  let startSeconds = tracks.length === 1 && /[?&]t=(\\d{1,6})(&|$)/.exec(location.search)?.[1]
  const clock = (s) => Math.floor(s / 60) + ':' + String(Math.floor(s % 60)).padStart(2, '0')

  const startListen = ({ id, src, seconds }) => {
    const newListen = { id: Number(id), minSeconds: seconds < ${MIN_STREAM_SECONDS} ? seconds / 2 : ${MIN_STREAM_SECONDS}, heard: 0 }
    listen = newListen
    const request = new AbortController()
    fetch(src, { credentials: 'omit', signal: request.signal })
      .then(({ headers }) => {
        newListen.token = headers.get('listen-token')
        newListen.startedAt = performance.now()
        request.abort()
      })
      .catch(() => undefined)
  }
  const reportStream = () => {
    if (!listen || !listen.token || listen.heard < listen.minSeconds) return
    if (performance.now() - listen.startedAt < listen.minSeconds * 1000) return
    const body = JSON.stringify({ trackId: listen.id, listen: listen.token })
    listen = null
    fetch('${tracksApi.reportEmbedStream.path}', { method: 'POST', mode: 'no-cors', credentials: 'omit', keepalive: true, body }).catch(() => undefined)
  }
  const start = (next) => {
    index = next
    position = 0
    status.textContent = ''
    tracks.forEach((track, i) => (i === index ? track.setAttribute('aria-current', 'true') : track.removeAttribute('aria-current')))
    // A single track starts at the time in the embed's address, once.
    audio.src = tracks[index].dataset.src + (startSeconds ? '#t=' + startSeconds : '')
    startSeconds = ''
    startListen(tracks[index].dataset)
    audio.play().catch(() => undefined)
  }
  const toggle = () => {
    if (index < 0) start(0)
    else if (audio.paused) audio.play().catch(() => undefined)
    else audio.pause()
  }
  play.addEventListener('click', toggle)
  tracks.forEach((track, i) => track.addEventListener('click', () => (i === index ? toggle() : start(i))))
  for (const type of ['play', 'pause', 'ended'])
    audio.addEventListener(type, () => play.setAttribute('aria-label', audio.paused ? 'Play' : 'Pause'))
  audio.addEventListener('timeupdate', () => {
    const step = audio.currentTime - position
    // A larger step is a seek.
    if (listen && step > 0 && step < 2) listen.heard += step
    position = audio.currentTime
    seek.value = audio.duration ? String((position / audio.duration) * 1000) : '0'
    seek.setAttribute('aria-valuetext', clock(position))
    time.textContent = clock(position)
    reportStream()
  })
  seek.addEventListener('input', () => {
    if (audio.duration) audio.currentTime = (seek.value / 1000) * audio.duration
  })
  audio.addEventListener('ended', () => {
    if (index + 1 < tracks.length) return start(index + 1)
    tracks[index].removeAttribute('aria-current')
    index = -1
  })
  audio.addEventListener('error', () => {
    status.textContent = 'This track cannot be played right now.'
    index = -1
  })
})()
`
