import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import * as does from './effects'
import { getJson } from './home'

/** A group of home page controls: name, locator, count, effect. */
export type Control = {
  name: string
  find: (page: Page) => Locator
  /** A function where the number depends on the day. */
  count?: number | ((page: Page) => Promise<number>)
  effect: (page: Page, control: Locator) => Promise<void>
}

type Role = 'link' | 'button' | 'slider' | 'textbox'
const scopeOf = (page: Page, where: string) =>
  ['banner', 'contentinfo'].includes(where)
    ? page.getByRole(where as 'banner')
    : page
        .getByRole('region', { name: where, exact: true })
        .or(page.getByRole('navigation', { name: where, exact: true }))

const control = (where: string, role: Role, name: string | RegExp, effect: Control['effect'], count = 1): Control => ({
  name: `${where}: ${role} ${name}`,
  find: (page) => scopeOf(page, where).getByRole(role, { name, exact: typeof name === 'string' }),
  effect,
  count,
})

/** The calendar opens at the next show's month. */
async function daysWithAShow(page: Page): Promise<number> {
  const dates = async (path: string) => (await getJson<{ date: string }[]>(page, path)).map(({ date }) => date)
  const [[next = ''], all] = await Promise.all([dates('/api/concerts/upcoming'), dates('/api/concerts')])
  return new Set(all.filter((date) => date.startsWith(next.slice(0, 7)))).size
}

const MUSIC = 'Latest Releases'
const STORE = 'Merch Store'
const PICTURES = 'Gold Nose Clip'
const SHOWS = 'Live Shows'
const POSTED = 'https://www.instagram.com/'

const topControls = (isMobile: boolean): Control[] => [
  {
    name: 'the skip link',
    find: (page) => page.getByRole('link', { name: 'Skip to content' }),
    effect: async (page, link) => {
      await link.press('Enter')
      await expect(page.getByRole('main')).toBeFocused()
    },
  },
  control('banner', 'link', 'Tavi Solaire', does.scrollToTop),
  control('banner', 'link', 'Sign Up / Login', does.navigateTo('/login')),
  ...(isMobile
    ? [
        control('banner', 'button', 'Menu', does.openMenu),
        control('Quick navigation', 'link', 'Music', does.scrollTo('music')),
        control('Quick navigation', 'link', 'Merch', does.scrollTo('merch')),
        control('Quick navigation', 'link', 'Shows', does.scrollTo('concerts')),
        control('Quick navigation', 'link', 'Supporter Missions', does.scrollTo('smart-features')),
      ]
    : [
        control('Sections', 'link', 'Music', does.scrollTo('music')),
        control('Sections', 'link', 'Merch', does.scrollTo('merch')),
        control('Sections', 'link', 'Concerts', does.scrollTo('concerts')),
        control('Sections', 'link', 'Exclusive', does.scrollTo('exclusive')),
        control('Sections', 'link', 'Supporter Missions', does.scrollTo('smart-features')),
      ]),
  control('Tavi Solaire', 'link', 'LISTEN NOW', does.scrollTo('music')),
  control('Tavi Solaire', 'link', 'GET TICKETS', does.scrollTo('concerts')),
  control('Tavi Solaire', 'link', /^VOTE NOW/, does.scrollTo('community-voting')),
]

const sectionControls: Control[] = [
  control(MUSIC, 'button', /^Play /, does.playAndPause),
  control(MUSIC, 'slider', 'Seek', does.slide('ArrowRight')),
  control(MUSIC, 'slider', 'Volume', does.slide('ArrowLeft')),
  control(MUSIC, 'button', 'Mute', does.switchOn),
  control(MUSIC, 'link', 'Spotify (opens in a new tab)', does.countAndOpen('spotify', 'https://open.spotify.com/')),
  control(
    MUSIC,
    'link',
    'Apple Music (opens in a new tab)',
    does.countAndOpen('appleMusic', 'https://music.apple.com/'),
  ),
  control(MUSIC, 'link', 'YouTube (opens in a new tab)', does.countAndOpen('youtube', 'https://www.youtube.com/')),
  control(
    MUSIC,
    'link',
    'YouTube Music (opens in a new tab)',
    does.countAndOpen('youtubeMusic', 'https://music.youtube.com/'),
  ),
  control(MUSIC, 'button', / plays$/, does.selectTrack, 6),
  control(MUSIC, 'button', /^Like /, does.showToast('Login required'), 7),
  {
    name: 'the strip of pictures',
    find: (page) => page.getByRole('region', { name: PICTURES }).locator('.slides'),
    effect: does.scrollSideways,
  },
  control(PICTURES, 'button', 'Play the pictures', does.expectPauseButton),
  control(PICTURES, 'button', /^Picture \d$/, does.becomeCurrent, 3),
  control(PICTURES, 'button', /^(Previous|Next) picture$/, does.changeImage, 2),
  control(STORE, 'link', 'Buy Now', does.navigateTo('/checkout?product=gold-nose-clip&quantity=1')),
  control(STORE, 'link', 'Join broadcast to save $5 off on merchandise', does.externalLink(POSTED)),
  control(STORE, 'textbox', 'Email', does.typeText),
  control(STORE, 'button', 'Notify Me', does.showToast('Successfully subscribed!')),
  control(STORE, 'link', /^Gilt Disc Hoodie/, does.linkTo('/checkout?product=gilt-hoodie&quantity=1')),
  control(STORE, 'link', /Two-inch tape/, does.externalLink(POSTED)),
  control(STORE, 'link', /Every hand up/, does.externalLink('https://www.tiktok.com/')),
  control(SHOWS, 'link', 'Bayfront Shell', does.navigateTo('/shows/show-bayfront-shell')),
  control(SHOWS, 'link', 'Add to Calendar', does.externalLink(/^https:\/\/calendar\.google\.com\/.*dates=/)),
  control(
    SHOWS,
    'link',
    'Get Directions',
    does.externalLink(/^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=/),
  ),
  control(SHOWS, 'link', 'Calendar file', does.download),
  control(SHOWS, 'link', /(Free|\$\d+).*(Available|Few tickets left|Sold Out)$/, does.linkTo(/^\/shows\/[\w-]+$/), 6),
  control(SHOWS, 'button', 'Next', does.changeMonth),
  control(SHOWS, 'button', 'Previous', does.changeMonth),
  {
    name: 'the days with a show',
    find: (page) => page.getByRole('grid').getByRole('button'),
    count: daysWithAShow,
    effect: does.openDialog,
  },
  control(SHOWS, 'button', 'Get Show Alerts', does.answerPrompt('fan@example.com', 'Show alerts')),
  control(SHOWS, 'button', 'Request a City', does.answerPrompt('Gainesville', 'City requested')),
  control(SHOWS, 'link', 'All shows in your calendar', does.download),
  control(SHOWS, 'link', 'Send your verse', does.navigateTo('/challenge')),
  control(SHOWS, 'link', 'To the verse challenge', does.linkTo('/challenge')),
  control(SHOWS, 'link', 'Count it yourself', does.navigateTo('/challenge/gold-open-verse-2025#recount')),
  control('The Zone', 'button', 'Current Plan', does.nothingWhileDisabled),
  control('The Zone', 'link', 'Choose Silver', does.navigateTo('/subscribe?tier=silver')),
  control('The Zone', 'link', 'Choose Gold', does.linkTo('/subscribe?tier=gold')),
  control('Supporter Hub', 'link', 'Start Exploring', does.navigateTo('/signup')),
  control('Community Voting', 'button', /./, does.showToast('Login required'), 7),
]

const endControls: Control[] = [
  control('Community', 'link', 'Log in to post', does.linkTo('/login')),
  control('First to know', 'textbox', 'Email', does.typeText),
  control('First to know', 'button', 'Subscribe', does.showToast('Successfully subscribed!')),
  control('First to know', 'link', 'Instagram', does.externalLink('https://www.instagram.com/')),
  control('First to know', 'link', 'TikTok', does.externalLink('https://www.tiktok.com/')),
  control('First to know', 'link', 'YouTube', does.externalLink('https://www.youtube.com/')),
  control('First to know', 'link', 'Spotify', does.externalLink('https://open.spotify.com/')),
  control('First to know', 'link', 'Apple Music', does.externalLink('https://music.apple.com/')),
  control('contentinfo', 'button', 'Run-out groove, side A', does.revealLyric),
  control('contentinfo', 'link', 'Latest Releases', does.scrollTo('music')),
  control('contentinfo', 'link', 'Supporter Hub', does.scrollTo('smart-features')),
  control('contentinfo', 'link', 'Live Shows', does.scrollTo('concerts')),
  control('contentinfo', 'link', 'Hall of Fame', does.scrollTo('hall-of-fame')),
  control('contentinfo', 'link', 'Community Voting', does.scrollTo('community-voting')),
  control('contentinfo', 'link', 'Merch Store', does.scrollTo('merch')),
  control('contentinfo', 'link', 'The Zone', does.scrollTo('exclusive')),
  control('contentinfo', 'link', 'Contact', does.externalLink(POSTED)),
  control('contentinfo', 'link', 'Privacy Policy', does.navigateTo('/privacy-policy')),
]

/** The same elements at every width. */
const shared = [...sectionControls, ...endControls]

/**
 * All controls of the home page, for a visitor with reduced motion. The effects of shared controls are tested on desktop;
 * on a phone they must be clickable.
 */
export const controls = (isMobile: boolean): Control[] => [
  ...topControls(isMobile),
  ...(isMobile
    ? shared.map((row) => ({ ...row, effect: row.effect === does.nothingWhileDisabled ? row.effect : does.clickable }))
    : shared),
]
