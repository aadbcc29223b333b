/** What suspending somebody leaves: a picture's address goes on being answered until its post is hidden. */
export const BAN_KEEPS_IMAGES =
  'The pictures of their posts stay open at their own addresses until the posts are hidden: hide what must go.'
