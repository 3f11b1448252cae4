/** Cards of the first page that are likely on screen: their photos load eagerly. */
const EAGER_CARDS = 4
/** Cards whose photo gets a high fetch priority: a phone's first row. More would compete for bandwidth. */
const HIGH_PRIORITY_CARDS = 2

/** How the photo of the list's card at `index` loads. */
export const cardLoading = (index: number) => ({ eager: index < EAGER_CARDS, first: index < HIGH_PRIORITY_CARDS })
