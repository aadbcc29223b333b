/** An error whose message is shown to the user. */
export class UploadError extends Error {}
