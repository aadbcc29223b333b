import { useSite } from '../site/site.queries'
import { LoadError } from '../ui/LoadError'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { FeaturedProduct } from './FeaturedProduct'
import { MoreDrops } from './MoreDrops'
import { useProducts } from './products.queries'
import { SocialPosts } from './SocialPosts'

/** Track 02 of the page: the limited piece, the next drops, and what was posted elsewhere. */
export function MerchSection() {
  const { data: products, isError, isFetching, refetch } = useProducts()
  const artist = useSite()?.artist
  const featured = products?.find(({ isFeatured }) => isFeatured) ?? products?.[0]
  const others = products?.filter((product) => product !== featured) ?? []
  return (
    <Section id="merch" number="02" title="Merch Store" note={products && pieces(products.length)}>
      {featured ? (
        <FeaturedProduct product={featured} broadcast={artist?.links.broadcast ?? ''} />
      ) : products ? (
        <p className="col-span-full text-lg text-muted">Nothing is on the rack right now.</p>
      ) : isError ? (
        <div className="col-span-full">
          <LoadError onRetry={refetch} retrying={isFetching}>
            The store could not be fetched.
          </LoadError>
        </div>
      ) : (
        <MerchSkeleton />
      )}
      <MoreDrops products={others} />
      <SocialPosts posts={artist?.socialPosts ?? []} />
    </Section>
  )
}

const pieces = (count: number) => `${count} ${count === 1 ? 'piece' : 'pieces'}`

/** The size of the pictures and of the words beside them. */
function MerchSkeleton() {
  return (
    <div className="col-span-full grid grid-cols-subgrid">
      <div className="col-span-full lg:col-span-7 lg:col-start-6">
        <Skeleton className="aspect-square" label="The store is being fetched." />
        <div className="h-16" />
      </div>
      <Skeleton className="col-span-full max-lg:mt-8 max-lg:h-112 lg:col-span-4 lg:row-start-1" />
    </div>
  )
}
