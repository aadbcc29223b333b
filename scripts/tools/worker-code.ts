import { runnerImport } from 'vite'

/** Imports a module of the worker. Node cannot do it: the worker's imports have no file extensions. */
export async function importWorkerCode<T>(path: string): Promise<T> {
  const { module } = await restoringNodeEnv(() => runnerImport<T>(path, { configFile: false, logLevel: 'error' }))
  return module
}

/** Restores NODE_ENV after work in which Vite sets it for the whole process; later steps need the old value. */
export async function restoringNodeEnv<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV } = process.env
  const result = await work()
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  return result
}
