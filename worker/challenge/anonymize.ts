/**
 * What takes the place of a verse's sender who is forgotten: the entry stays counted. Nothing names the recording any
 * more, so that the sweep of uploads removes it.
 */
export const ANONYMIZED_VERSE = `name = 'Deleted', email = 'deleted', phone_number = '', user_id = NULL, mailbox_key = NULL,
  audio_key = NULL, note = ''`
