/** What takes the place of a verse's sender who is forgotten: the entry stays counted. */
export const NAMELESS_VERSE = "name = 'Deleted', email = 'deleted', phone_number = ''"
