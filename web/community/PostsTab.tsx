import { Panel } from '../admin/Panel'
import { ExclusivePostForm, ExclusivePostsAdmin } from './ExclusivePostsAdmin'

/** The team's posts for the paid tiers. */
export const PostsTab = () => (
  <div className="grid gap-12">
    <Panel title="Posts" note="Silver posts are for Silver and Gold. Everyone else sees the title and a lock.">
      <ExclusivePostForm />
    </Panel>
    <ExclusivePostsAdmin />
  </div>
)
