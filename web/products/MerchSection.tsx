import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import type { SiteConfig } from '../../worker/contract/site'
import { formatCountOf } from '../lib/format'
import { useSite } from '../site/site.queries'
import { EmptyPanel } from '../ui/EmptyPanel'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { FeaturedProduct } from './FeaturedProduct'
import { MoreDrops } from './MoreDrops'
import { physicalProducts } from './products.queries'

/** Home page section: the featured product, the next drops, the artist's social posts. */
export function MerchSection() {
  const query = useQuery(physicalProducts)
  const products = query.data
  const artist = useSite()?.artist
  const featured = products?.find(({ isFeatured }) => isFeatured) ?? products?.[0]
  return (
    <Section
      id="merch"
      isNumbered
      title="Merch Store"
      note={products && products.length > 0 ? formatCountOf(products.length, 'piece') : undefined}
    >
      <QueryBoundary
        query={query}
        loading={<MerchSkeleton />}
        error="The store could not be loaded."
        errorClassName="col-span-full"
      >
        {() =>
          featured ? (
            <FeaturedProduct product={featured} broadcastChannelUrl={artist?.links.broadcast ?? ''} />
          ) : (
            <EmptyPanel title="Nothing on the rack" headingLevel="h3">
              <p>No merch right now. Check back soon.</p>
            </EmptyPanel>
          )
        }
      </QueryBoundary>
      <MoreDrops />
      <SocialPosts posts={artist?.socialPosts ?? []} />
    </Section>
  )
}

/** Placeholder with the size of the loaded section. */
function MerchSkeleton() {
  return (
    <div className="col-span-full grid grid-cols-subgrid">
      <div className="col-span-full lg:col-span-7 lg:col-start-6">
        <Skeleton className="aspect-square" label="Loading the store" />
        <div className="h-16" />
      </div>
      <Skeleton className="col-span-full max-lg:mt-8 max-lg:h-112 lg:col-span-4 lg:row-start-1" />
    </div>
  )
}

const MAX_SOCIAL_POSTS = 2

export function SocialPosts({ posts }: { posts: SiteConfig['artist']['socialPosts'] }) {
  if (posts.length === 0) return null
  return (
    <div className="col-span-full mt-8 border-t border-rule pt-6 lg:col-span-5 lg:mt-20">
      <h3 className="mb-4 font-display text-xl lg:mb-6 lg:text-2xl">New Post</h3>
      <ul className="grid gap-4 sm:grid-cols-2 lg:gap-6">
        {posts.slice(0, MAX_SOCIAL_POSTS).map(({ title, url, imageUrl, alt }) => (
          <li key={`${url} ${title}`}>
            <a
              href={url}
              target="_blank"
              rel="noopener"
              className="group block max-sm:flex max-sm:items-center max-sm:gap-4"
            >
              <ResponsiveImage
                src={imageUrl}
                alt={alt}
                width={1080}
                height={1350}
                sizes="(width < 64rem) 46vw, 17rem"
                className="aspect-4/5 w-full object-cover max-sm:aspect-square max-sm:w-16 max-sm:shrink-0"
              />
              <span className="flex grow items-start sm:mt-3 justify-between gap-2 leading-snug font-semibold wrap-anywhere group-hover:text-gold-bright">
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
