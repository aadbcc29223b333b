import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import * as does from './effects'
import { answerOf } from './home'

/** A row of the table: which controls of the home page are meant, how many there are, and what each of them does. */
export type Control = {
  name: string
  find: (page: Page) => Locator
  /** How many there are; where that depends on the day, it is told from what the server answers. */
  count?: number | ((page: Page) => Promise<number>)
  effect: (page: Page, control: Locator) => Promise<void>
}

type Role = 'link' | 'button' | 'slider' | 'textbox'
const within = (page: Page, where: string) =>
  ['banner', 'contentinfo'].includes(where)
    ? page.getByRole(where as 'banner')
    : page
        .getByRole('region', { name: where, exact: true })
        .or(page.getByRole('navigation', { name: where, exact: true }))

const row = (where: string, role: Role, name: string | RegExp, effect: Control['effect'], count = 1): Control => ({
  name: `${where}: ${role} ${name}`,
  find: (page) => within(page, where).getByRole(role, { name, exact: typeof name === 'string' }),
  effect,
  count,
})

/** The calendar opens at the next show's month; the demo's shows are dated from the day of seeding. */
async function daysWithAShow(page: Page): Promise<number> {
  const dates = async (path: string) => (await answerOf<{ date: string }[]>(page, path)).map(({ date }) => date)
  const [[next = ''], all] = await Promise.all([dates('/api/concerts/upcoming'), dates('/api/concerts')])
  return new Set(all.filter((date) => date.startsWith(next.slice(0, 7)))).size
}

const MUSIC = 'Latest Releases'
const STORE = 'Merch Store'
const PICTURES = 'Gold Nose Clip'
const SHOWS = 'Live Shows'
const POSTED = 'https://www.instagram.com/'

const top = (isMobile: boolean): Control[] => [
  {
    name: 'the skip link',
    find: (page) => page.getByRole('link', { name: 'Skip to content' }),
    effect: async (page, link) => {
      await link.press('Enter')
      await expect(page.getByRole('main')).toBeFocused()
    },
  },
  row('banner', 'link', 'Tavi Solaire', does.scrollToTop),
  row('banner', 'link', 'Sign Up / Login', does.leadTo('/login')),
  ...(isMobile
    ? [
        row('banner', 'button', 'Menu', does.openMenu),
        row('Quick navigation', 'link', 'Music', does.scrollTo('music')),
        row('Quick navigation', 'link', 'Merch', does.scrollTo('merch')),
        row('Quick navigation', 'link', 'Shows', does.scrollTo('concerts')),
        row('Quick navigation', 'link', 'Supporter Missions', does.scrollTo('smart-features')),
      ]
    : [
        row('Sections', 'link', 'Music', does.scrollTo('music')),
        row('Sections', 'link', 'Merch', does.scrollTo('merch')),
        row('Sections', 'link', 'Concerts', does.scrollTo('concerts')),
        row('Sections', 'link', 'Exclusive', does.scrollTo('exclusive')),
        row('Sections', 'link', 'Supporter Missions', does.scrollTo('smart-features')),
      ]),
  row('Tavi Solaire', 'link', 'LISTEN NOW', does.scrollTo('music')),
  row('Tavi Solaire', 'link', 'GET TICKETS', does.scrollTo('concerts')),
  row('Tavi Solaire', 'link', /^VOTE NOW/, does.scrollTo('community-voting')),
]

const sections: Control[] = [
  row(MUSIC, 'button', /^Play /, does.playAndPause),
  row(MUSIC, 'slider', 'Seek', does.slide('ArrowRight')),
  row(MUSIC, 'slider', 'Volume', does.slide('ArrowLeft')),
  row(MUSIC, 'button', 'Mute', does.switchOn),
  row(MUSIC, 'link', 'Spotify (opens in a new tab)', does.countAndOpen('https://open.spotify.com/')),
  row(MUSIC, 'link', 'Apple Music (opens in a new tab)', does.countAndOpen('https://music.apple.com/')),
  row(MUSIC, 'link', 'YouTube (opens in a new tab)', does.countAndOpen('https://www.youtube.com/')),
  row(MUSIC, 'link', 'YouTube Music (opens in a new tab)', does.countAndOpen('https://music.youtube.com/')),
  row(MUSIC, 'button', / plays$/, does.putOnTheTurntable, 6),
  row(MUSIC, 'button', /^Like /, does.raise('Login required'), 7),
  {
    name: 'the strip of pictures',
    find: (page) => page.getByRole('region', { name: PICTURES }).locator('.slides'),
    effect: does.scrollSideways,
  },
  row(PICTURES, 'button', 'Play the pictures', does.turnIntoPause),
  row(PICTURES, 'button', /^Picture \d$/, does.becomeCurrent, 3),
  row(PICTURES, 'button', /^(Previous|Next) picture$/, does.changePicture, 2),
  row(STORE, 'link', 'Buy Now', does.leadTo('/checkout?product=gold-nose-clip&quantity=1')),
  row(STORE, 'link', 'Join broadcast to save $5 off on merchandise', does.openPage(POSTED)),
  row(STORE, 'textbox', 'Email', does.takeText),
  row(STORE, 'button', 'Notify Me', does.raise('Successfully subscribed!')),
  row(STORE, 'link', /^Gilt Disc Hoodie/, does.leadTo('/checkout?product=gilt-hoodie&quantity=1')),
  row(STORE, 'link', /Two-inch tape/, does.openPage(POSTED)),
  row(STORE, 'link', /Every hand up/, does.openPage('https://www.tiktok.com/')),
  row(SHOWS, 'link', 'Bayfront Shell', does.leadTo('/shows/show-bayfront-shell')),
  row(SHOWS, 'link', 'Add to Calendar', does.openPage(/^https:\/\/calendar\.google\.com\/.*dates=/)),
  row(SHOWS, 'link', 'Get Directions', does.openPage(/^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=/)),
  row(SHOWS, 'link', 'Calendar file', does.download),
  row(SHOWS, 'link', /(Free|\$\d+).*(Available|Few tickets left|Sold Out)$/, does.leadToAShow, 6),
  row(SHOWS, 'button', 'Next', does.changeMonth),
  row(SHOWS, 'button', 'Previous', does.changeMonth),
  {
    name: 'the days with a show',
    find: (page) => page.getByRole('grid').getByRole('button'),
    count: daysWithAShow,
    effect: does.openDialog,
  },
  row(SHOWS, 'button', 'Get Show Alerts', does.askAndThank('fan@example.com', 'Show alerts')),
  row(SHOWS, 'button', 'Request a City', does.askAndThank('Gainesville', 'City requested')),
  row(SHOWS, 'link', 'All shows in your calendar', does.download),
  row(SHOWS, 'link', 'Send your verse', does.leadTo('/challenge')),
  row(SHOWS, 'link', 'To the verse challenge', does.leadTo('/challenge')),
  row(SHOWS, 'link', 'Count it yourself', does.leadTo('/challenge/gold-open-verse-2025#recount')),
  row('The Zone', 'button', 'Current Plan', does.nothingWhileDisabled),
  row('The Zone', 'link', 'Choose Silver', does.leadTo('/subscribe?tier=silver')),
  row('The Zone', 'link', 'Choose Gold', does.leadTo('/subscribe?tier=gold')),
  row('Supporter Hub', 'link', 'Start Exploring', does.leadTo('/signup')),
  row('Community Voting', 'button', /./, does.raise('Login required'), 7),
]

const end: Control[] = [
  row('Community', 'link', 'Log in to post', does.leadTo('/login')),
  row('First to know', 'textbox', 'Email', does.takeText),
  row('First to know', 'button', 'Subscribe', does.raise('Successfully subscribed!')),
  row('First to know', 'link', 'Instagram', does.openPage('https://www.instagram.com/')),
  row('First to know', 'link', 'TikTok', does.openPage('https://www.tiktok.com/')),
  row('First to know', 'link', 'YouTube', does.openPage('https://www.youtube.com/')),
  row('First to know', 'link', 'Spotify', does.openPage('https://open.spotify.com/')),
  row('First to know', 'link', 'Apple Music', does.openPage('https://music.apple.com/')),
  row('contentinfo', 'button', 'Run-out groove, side A', does.revealTheLine),
  row('contentinfo', 'link', 'Latest Releases', does.scrollTo('music')),
  row('contentinfo', 'link', 'Supporter Hub', does.scrollTo('smart-features')),
  row('contentinfo', 'link', 'Live Shows', does.scrollTo('concerts')),
  row('contentinfo', 'link', 'Hall of Fame', does.scrollTo('hall-of-fame')),
  row('contentinfo', 'link', 'Community Voting', does.scrollTo('community-voting')),
  row('contentinfo', 'link', 'Merch Store', does.scrollTo('merch')),
  row('contentinfo', 'link', 'The Zone', does.scrollTo('exclusive')),
  row('contentinfo', 'link', 'Contact', does.openPage(POSTED)),
  row('contentinfo', 'link', 'Privacy Policy', does.leadTo('/privacy-policy')),
]

/** Every control of the home page as a visitor sees it, under reduced motion. */
export const controls = (isMobile: boolean): Control[] => [...top(isMobile), ...sections, ...end]
