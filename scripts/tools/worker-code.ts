import { runnerImport } from 'vite'

/** Imports a module of the worker. Node cannot do it: the worker's imports have no file extensions. */
export async function importWorkerCode<T>(path: string): Promise<T> {
  const { module } = await runnerImport<T>(path, { configFile: false, logLevel: 'error' })
  return module
}
