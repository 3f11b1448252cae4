import { hasCoat, hasEars, hasMuzzle, hasSize, hasTail, isShortLegged, type Theme } from './theme.ts'

const PUPPY_MAX_MONTHS = 11
const VETERAN_MIN_MONTHS = 108
/** The shortest description that counts as a long one. */
const LONG_STORY_CHARS = 140

/** Themes about what a dog is like. */
export const LOOKS_THEMES: readonly Theme[] = [
  { id: 'rizos', title: 'Con rizos', text: 'Una raza de pelo rizado.', motif: 'curl', fits: hasCoat('curly') },
  { id: 'gigante', title: 'Un gigante', text: 'De tamaño gigante.', motif: 'tall', fits: hasSize('gigante') },
  {
    id: 'chato',
    title: 'De nariz chata',
    text: 'Una raza de hocico chato o muy corto.',
    motif: 'nose',
    fits: hasMuzzle('chata'),
  },
  { id: 'mini', title: 'De bolsillo', text: 'De tamaño mini.', motif: 'puppy', fits: hasSize('mini') },
  {
    id: 'barba',
    title: 'Barba y cejas',
    text: 'Una raza de pelo duro, de alambre.',
    motif: 'fringe',
    fits: hasCoat('wire'),
  },
  {
    id: 'orejas-caidas',
    title: 'Orejas que cuelgan',
    text: 'Una raza de orejas caídas.',
    motif: 'ear',
    fits: hasEars('caidas'),
  },
  {
    id: 'veterano',
    title: 'Un veterano',
    text: 'Con nueve años o más.',
    motif: 'star',
    fits: ({ ageMonths }) => ageMonths !== null && ageMonths >= VETERAN_MIN_MONTHS,
  },
  {
    id: 'cola-enroscada',
    title: 'Cola de caracol',
    text: 'Una raza de cola enroscada.',
    motif: 'tail',
    fits: hasTail('enroscada'),
  },
  { id: 'mediano', title: 'Ni grande ni pequeño', text: 'De tamaño mediano.', motif: 'tall', fits: hasSize('mediano') },
  {
    id: 'flequillo',
    title: 'Con flequillo',
    text: 'Una raza lanuda, de las que miran entre el pelo.',
    motif: 'fringe',
    fits: hasCoat('shaggy', 'corded'),
  },
  {
    id: 'cachorro',
    title: 'Un cachorro',
    text: 'Con menos de un año.',
    motif: 'puppy',
    fits: ({ ageMonths }) => ageMonths !== null && ageMonths <= PUPPY_MAX_MONTHS,
  },
  {
    id: 'orejas-en-punta',
    title: 'Orejas en punta',
    text: 'Una raza de orejas erguidas.',
    motif: 'puppy',
    fits: hasEars('erguidas'),
  },
  {
    id: 'terciopelo',
    title: 'De terciopelo',
    text: 'Una raza de pelo corto y liso.',
    motif: 'paw',
    fits: hasCoat('smooth'),
  },
  {
    id: 'paticorto',
    title: 'De patas cortas',
    text: 'Una raza de patas muy cortas y cuerpo recio.',
    motif: 'bone',
    fits: isShortLegged,
  },
  {
    id: 'melena',
    title: 'Con melena',
    text: 'Una raza de pelo largo o sedoso.',
    motif: 'fringe',
    fits: hasCoat('long', 'silky', 'mane'),
  },
  { id: 'grande', title: 'Un grandullón', text: 'De tamaño grande.', motif: 'tall', fits: hasSize('grande') },
  {
    id: 'perfil',
    title: 'De perfil largo',
    text: 'Una raza de hocico largo.',
    motif: 'nose',
    fits: hasMuzzle('larga'),
  },
  { id: 'cola-corta', title: 'Rabicorto', text: 'Una raza de cola corta.', motif: 'tail', fits: hasTail('corta') },
  { id: 'pequeno', title: 'Un pequeñajo', text: 'De tamaño pequeño.', motif: 'puppy', fits: hasSize('pequeño') },
  {
    id: 'historia',
    title: 'Con mucha historia',
    text: 'Cualquier perro con una descripción larga, de 140 caracteres o más.',
    motif: 'book',
    fits: ({ descriptionChars }) => descriptionChars >= LONG_STORY_CHARS,
  },
]
