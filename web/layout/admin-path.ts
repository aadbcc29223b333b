/** Pages of the dashboard, which have its navigation instead of the site's. */
const ADMIN_PATH = /^\/(admin|verse-submissions|golden-verse-admin|csv-download|download-csv)(\/|$)/

export const isAdminPath = (path: string) => ADMIN_PATH.test(path)
