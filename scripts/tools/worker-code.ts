import { runnerImport } from 'vite'

/** Runs a module of the worker in this process: its imports name no file extensions, which Node needs. */
export async function importWorkerCode<T>(path: string): Promise<T> {
  const { module } = await runnerImport<T>(path, { configFile: false, logLevel: 'error' })
  return module
}
