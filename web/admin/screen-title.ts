import { createContext, useContext } from 'react'

export const ScreenTitleContext = createContext('')

/** The heading of the open screen, which its panels need not repeat; empty outside the dashboard's screens. */
export const useScreenTitle = () => useContext(ScreenTitleContext)
