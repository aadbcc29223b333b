import './styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { newQueries } from './queries'
import { newRouter } from './routes'

const queries = newQueries()
const router = newRouter(queries)

const mount = document.getElementById('root')
if (!mount) throw new Error('The page holds no #root.')
createRoot(mount).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
