import { logError } from '../lib/log'

export type ImageFile = { bytes: Uint8Array; contentType: string }

/** Cloudflare Images, in deployments with its binding. */
export type ImagesService = ImagesBinding | undefined

/**
 * An image as WebP and as AVIF. Null without the binding or if the conversion fails, for example beyond the quota. Null
 * for PNG, because programs other than browsers read images such as the icon.
 */
export async function convertImage(
  images: ImagesService,
  file: ImageFile,
): Promise<{ webp: ImageFile; avif: ImageFile } | null> {
  if (!images || file.contentType === 'image/png') return null
  const encode = async (format: 'image/avif' | 'image/webp'): Promise<ImageFile> => {
    const output = await images.input(new Blob([new Uint8Array(file.bytes)]).stream()).output({ format })
    return { bytes: new Uint8Array(await output.response().arrayBuffer()), contentType: format }
  }
  try {
    const webp = file.contentType === 'image/webp' ? file : await encode('image/webp')
    return { webp, avif: await encode('image/avif') }
  } catch (error) {
    logError('images', error)
    return null
  }
}
