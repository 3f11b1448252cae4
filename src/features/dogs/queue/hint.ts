/** In localStorage: tells pages without opening the database that there is a queue. */
export const QUEUE_HINT = 'perrario-cola'
