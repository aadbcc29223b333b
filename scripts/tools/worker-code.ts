import { runnerImport } from 'vite'

/** Imports a module of the worker. Node cannot do it: the worker's imports have no file extensions. */
export async function importWorkerCode<T>(path: string): Promise<T> {
  // Vite sets NODE_ENV for the whole process; a later build must choose its own.
  const { NODE_ENV } = process.env
  const { module } = await runnerImport<T>(path, { configFile: false, logLevel: 'error' })
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  return module
}
