import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import * as effects from './effects'
import { getJson } from './page'

/** One or more controls of the home page with the same effect. */
export type Control = {
  name: string
  find: (page: Page) => Locator
  /** Number of elements, 1 by default; a function if it depends on the date. */
  count?: number | ((page: Page) => Promise<number>)
  effect: effects.Effect
}

type Role = 'combobox' | 'link' | 'button' | 'slider' | 'textbox'
const scopeOf = (page: Page, scope: string) =>
  ['banner', 'contentinfo'].includes(scope)
    ? page.getByRole(scope as 'banner')
    : page
        .getByRole('region', { name: scope, exact: true })
        .or(page.getByRole('navigation', { name: scope, exact: true }))

const control = (scope: string, role: Role, name: string | RegExp, effect: effects.Effect, count = 1): Control => ({
  name: `${scope}: ${role} ${name}`,
  find: (page) => scopeOf(page, scope).getByRole(role, { name, exact: typeof name === 'string' }),
  effect,
  count,
})

/** Number of days with a show in the month of the next show, which the calendar opens with. */
async function countDaysWithShow(page: Page): Promise<number> {
  const dates = async (path: string) => (await getJson<{ date: string }[]>(page, path)).map(({ date }) => date)
  const [[next = ''], all] = await Promise.all([dates('/api/concerts/upcoming'), dates('/api/concerts')])
  return new Set(all.filter((date) => date.startsWith(next.slice(0, 7)))).size
}

const MUSIC_SECTION = 'Latest Releases'
const STORE_SECTION = 'Merch Store'
const CAROUSEL_LABEL = 'Gold Nose Clip'
const SHOWS_SECTION = 'Live Shows'
const INSTAGRAM_URL = 'https://www.instagram.com/'

const topControls = (isMobile: boolean): Control[] => [
  {
    name: 'the skip link',
    find: (page) => page.getByRole('link', { name: 'Skip to content' }),
    effect: async (page, link) => {
      await link.press('Enter')
      await expect(page.getByRole('main')).toBeFocused()
    },
  },
  control('banner', 'link', 'Tavi Solaire', effects.scrollToTop),
  control('banner', 'link', 'Sign Up / Login', effects.linkTo('/login')),
  ...(isMobile
    ? [
        control('banner', 'button', 'Menu', effects.openMenu),
        control('Quick navigation', 'link', 'Music', effects.scrollTo('music')),
        control('Quick navigation', 'link', 'Merch', effects.scrollTo('merch')),
        control('Quick navigation', 'link', 'Shows', effects.scrollTo('concerts')),
        control('Quick navigation', 'link', 'Supporter Missions', effects.scrollTo('smart-features')),
      ]
    : [
        control('Sections', 'link', 'Music', effects.scrollTo('music')),
        control('Sections', 'link', 'Merch', effects.scrollTo('merch')),
        control('Sections', 'link', 'Concerts', effects.scrollTo('concerts')),
        control('Sections', 'link', 'Exclusive', effects.scrollTo('exclusive')),
        control('Sections', 'link', 'Supporter Missions', effects.scrollTo('smart-features')),
        // On a phone, these are not on the home page but on the pages of the show, the challenge and the hub.
        control(SHOWS_SECTION, 'link', 'Calendar file', effects.downloadCalendarFile),
        control(
          SHOWS_SECTION,
          'link',
          'Count it yourself',
          effects.navigateTo('/challenge/gold-open-verse-2025#recount'),
        ),
        control('Community Voting', 'link', 'All polls', effects.linkTo('/hub#community-voting')),
      ]),
  control('Tavi Solaire', 'link', 'LISTEN NOW', effects.scrollTo('music')),
  control('Tavi Solaire', 'link', 'GET TICKETS', effects.linkTo('/shows')),
  control('Tavi Solaire', 'link', /^VOTE NOW/, effects.linkTo('/challenge')),
]

const sectionControls: Control[] = [
  control(MUSIC_SECTION, 'button', /^Play /, effects.playAndPause),
  control(MUSIC_SECTION, 'slider', 'Seek', effects.moveSlider('ArrowRight')),
  control(MUSIC_SECTION, 'slider', 'Volume', effects.moveSlider('ArrowLeft')),
  control(MUSIC_SECTION, 'button', 'Mute', effects.switchOn),
  control(
    MUSIC_SECTION,
    'link',
    'Spotify (opens in a new tab)',
    effects.countedLink('spotify', 'https://open.spotify.com/'),
  ),
  control(
    MUSIC_SECTION,
    'link',
    'Apple Music (opens in a new tab)',
    effects.countedLink('appleMusic', 'https://music.apple.com/'),
  ),
  control(
    MUSIC_SECTION,
    'link',
    'YouTube (opens in a new tab)',
    effects.countedLink('youtube', 'https://www.youtube.com/'),
  ),
  control(
    MUSIC_SECTION,
    'link',
    'YouTube Music (opens in a new tab)',
    effects.countedLink('youtubeMusic', 'https://music.youtube.com/'),
  ),
  control(MUSIC_SECTION, 'button', / plays$/, effects.selectTrack, 6),
  control(MUSIC_SECTION, 'button', /^Like /, effects.openSignUpSheet, 7),
  {
    name: 'the carousel’s images',
    find: (page) => page.getByRole('region', { name: CAROUSEL_LABEL }).locator('.slides'),
    effect: effects.scrollSideways,
  },
  control(CAROUSEL_LABEL, 'button', 'Play the pictures', effects.playAndPauseCarousel),
  control(CAROUSEL_LABEL, 'button', /^Picture \d$/, effects.becomeCurrent, 3),
  control(CAROUSEL_LABEL, 'button', /^(Previous|Next) picture$/, effects.changeImage, 2),
  control(MUSIC_SECTION, 'link', 'All music', effects.linkTo('/music')),
  control(STORE_SECTION, 'link', 'Buy Now', effects.navigateTo('/checkout?product=gold-nose-clip&quantity=1')),
  control(STORE_SECTION, 'link', 'Join broadcast to save $5 off on merchandise', effects.externalLink(INSTAGRAM_URL)),
  control(STORE_SECTION, 'textbox', 'Email', effects.typeText),
  control(STORE_SECTION, 'button', 'Notify Me', effects.showToast('Successfully subscribed!')),
  control(STORE_SECTION, 'link', 'Gold Nose Clip', effects.linkTo('/merch/gold-nose-clip')),
  control(STORE_SECTION, 'link', 'All merch', effects.linkTo('/merch')),
  control(STORE_SECTION, 'link', /Two-inch tape/, effects.externalLink(INSTAGRAM_URL)),
  control(STORE_SECTION, 'link', /Every hand up/, effects.externalLink('https://www.tiktok.com/')),
  control(SHOWS_SECTION, 'link', 'Bayfront Shell', effects.linkTo('/shows/bayfront-shell-tampa')),
  control(SHOWS_SECTION, 'link', 'Add to Calendar', effects.externalLink(/^https:\/\/calendar\.google\.com\/.*dates=/)),
  control(
    SHOWS_SECTION,
    'link',
    'Get Directions',
    effects.externalLink(/^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=/),
  ),
  control(
    SHOWS_SECTION,
    'link',
    /(Free|\$\d+).*(Available|Few tickets left|Sold Out)$/,
    effects.linkTo(/^\/shows\/[\w-]+$/),
    3,
  ),
  control(SHOWS_SECTION, 'button', 'Next', effects.changeMonth),
  control(SHOWS_SECTION, 'button', 'Previous', effects.changeMonth),
  {
    name: 'the days with a show',
    find: (page) => page.getByRole('grid').getByRole('button'),
    count: countDaysWithShow,
    effect: effects.openDialog,
  },
  control(SHOWS_SECTION, 'combobox', 'Month', effects.selectMonth),
  control(SHOWS_SECTION, 'button', 'Get Show Alerts', effects.enterInPrompt('fan@example.com', 'Show alerts')),
  control(SHOWS_SECTION, 'button', 'Request a City', effects.enterInPrompt('Gainesville', 'City requested')),
  control(SHOWS_SECTION, 'link', 'All shows', effects.linkTo('/shows')),
  control(SHOWS_SECTION, 'link', 'Send your verse', effects.linkTo('/challenge')),
  control(SHOWS_SECTION, 'link', 'See the final vote', effects.linkTo('/challenge/gold-open-verse-2025')),
  control('The Zone', 'button', 'Current Plan', effects.expectDisabled),
  control('The Zone', 'link', 'Choose Silver', effects.linkTo('/subscribe?tier=silver')),
  control('The Zone', 'link', 'Choose Gold', effects.linkTo('/subscribe?tier=gold')),
  control('Supporter Hub', 'link', 'Start Exploring', effects.navigateTo('/signup')),
  control('Supporter Hub', 'link', 'Open the hub', effects.linkTo('/hub')),
]

const endControls: Control[] = [
  control('Community', 'link', 'Join the conversation', effects.linkTo('/community')),
  control('First to know', 'textbox', 'Email', effects.typeText),
  control('First to know', 'button', 'Subscribe', effects.showToast('Successfully subscribed!')),
  control('First to know', 'link', 'Instagram', effects.externalLink(INSTAGRAM_URL)),
  control('First to know', 'link', 'TikTok', effects.externalLink('https://www.tiktok.com/')),
  control('First to know', 'link', 'YouTube', effects.externalLink('https://www.youtube.com/')),
  control('First to know', 'link', 'Spotify', effects.externalLink('https://open.spotify.com/')),
  control('First to know', 'link', 'Apple Music', effects.externalLink('https://music.apple.com/')),
  control('contentinfo', 'button', 'Run-out groove, side A', effects.revealLyric),
  control('contentinfo', 'link', 'Latest Releases', effects.scrollTo('music')),
  control('contentinfo', 'link', 'Supporter Hub', effects.scrollTo('smart-features')),
  control('contentinfo', 'link', 'Live Shows', effects.scrollTo('concerts')),
  control('contentinfo', 'link', 'Hall of Fame', effects.scrollTo('hall-of-fame')),
  control('contentinfo', 'link', 'Community Voting', effects.scrollTo('community-voting')),
  control('contentinfo', 'link', 'Merch Store', effects.scrollTo('merch')),
  control('contentinfo', 'link', 'The Zone', effects.scrollTo('exclusive')),
  control('contentinfo', 'link', 'Contact', effects.externalLink(INSTAGRAM_URL)),
  control('contentinfo', 'link', 'Privacy Policy', effects.linkTo('/privacy-policy')),
]

/** Controls that exist at every width. */
const sharedControls = [...sectionControls, ...endControls]

/** All controls of a visitor's home page. On a phone, shared controls only have to be clickable. */
export const homeControls = (isMobile: boolean): Control[] => [
  ...topControls(isMobile),
  // On a phone, the home page shows one of the two polls.
  control('Community Voting', 'button', /./, effects.openSignUpSheet, isMobile ? 4 : 7),
  ...(isMobile
    ? sharedControls.map((shared) => ({
        ...shared,
        effect: shared.effect === effects.expectDisabled ? shared.effect : effects.expectClickable,
      }))
    : sharedControls),
]
