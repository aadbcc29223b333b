/** An error whose message is for the user. */
export class UploadError extends Error {}
