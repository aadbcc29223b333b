import { ArrowUpRight } from 'lucide-react'
import type { SiteConfig } from '../../worker/contract/site'
import { ResponsiveImage } from '../ui/ResponsiveImage'

/** The specification shows two cards. */
const SHOWN_COUNT = 2

/** What the artist posted elsewhere. */
export function SocialPosts({ posts }: { posts: SiteConfig['artist']['socialPosts'] }) {
  if (posts.length === 0) return null
  return (
    <div className="col-span-full mt-14 border-t border-rule pt-6 lg:col-span-5 lg:mt-20">
      <h3 className="mb-6 font-display text-2xl">New Post</h3>
      <ul className="grid grid-cols-2 gap-4 lg:gap-6">
        {posts.slice(0, SHOWN_COUNT).map(({ title, url, imageUrl, alt }) => (
          <li key={`${url} ${title}`}>
            <a href={url} target="_blank" rel="noopener" className="group block">
              <ResponsiveImage
                src={imageUrl}
                alt={alt}
                width={1080}
                height={1350}
                sizes="(width < 64rem) 46vw, 17rem"
                className="aspect-4/5 w-full object-cover"
              />
              <span className="mt-3 flex items-start justify-between gap-2 leading-snug font-semibold group-hover:text-gold-bright">
                {title}
                <ArrowUpRight size={20} aria-hidden className="shrink-0 text-gold" />
              </span>
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
