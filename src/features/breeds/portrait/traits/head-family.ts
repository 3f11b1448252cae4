/** Which head a breed has, from its group, section, name and facts. */
import type { Coat, EarKind, Family, HeadType, PortraitFacts } from '#features/breeds/portrait/types.ts'

// A table of patterns.
// prettier-ignore
const FAMILY_BY_NAME: readonly (readonly [RegExp, Family])[] = [
  [/^bull-terrier/, 'egg'], [/podenco|maneto|cirneco|faraon|xoloitz|sin-pelo|basenji|dingo|taiwan|tailandes|canaan|paria|carolina|guicho|villanuco/, 'primitive'],
  [/bulldog-(frances|ingles|continental)|boston|carlino|puggle|boxer|pequines|chin-japones|pequeno-brabanzon|grifon-(belga|de-bruselas)|shih-tzu|affenpinscher/, 'flat'],
  [/bully$|pit-bull|staffordshire|bulldog-americano|ca-de-bou/, 'bull'], [/bully-kutta|boerboel|alano|villano-de/, 'molosser'],
  [/chihuahua|king-charles|papillon|phalene|toy-ruso|ratonero-de-praga|spaniel-tibetano|^crestado-chino|cavapoo|kokoni/, 'apple'],
  [/galgo|lebrel|whippet|saluki|borzoi|azawakh|sloughi|tazy|windhound|chippiparai|rajapalayam/, 'sight'],
  [/teckel|coonhound|plott|sabueso|basset|beagle|harrier|foxhound|rastreador|dachsbracke|erbi|segugio|nutria|billy|porcelaine|huberto|tejonero/, 'hound'],
  [/schnauzer|airedale|fox-terrier-de-pelo-duro|terrier-(escoces|gales|irlandes|ruso)|lakeland|kerry|wheaten|sealyham/, 'terrier'],
  [/bichon|coton|bolonka|lhasa|maltipoo|pequeno-perro-leon|terrier-tibetano|schapendoes|perro-de-agua-(espanol|cantabrico|portugues|frison)|lagotto|barbet|cockapoo|labradoodle|goldendoodle|west-highland|cairn|norfolk|norwich|smous|dandie|glen|terrier-checo/, 'round'],
  [/caniche|bedlington|perro-de-agua-irlandes/, 'poodle'], [/pinscher|doberman|manchester|toy-terrier|ratonero-(mall|murc|palm|val)|rat-terrier|toy-fox|terrier-(americano|brasileno|japones)|bodeguero|granja|lancashire/, 'pinscher'],
  [/yorkshire|biewer|terrier-(sedoso|australiano)|skye/, 'round'],
  [/schipperke|corgi|pomsky|husky|esquimal|klee|eurasier|pastor-(islandes|finlandes)|pomerania|vallhund/, 'spitz'],
  [/lobo|tamaskan|palleiro|majorero|mudi|pumi|carea|kelpie|boyero-australiano|collie|shetland|pastor-(aleman|belga|blanco|bohemio|holandes|croata|de-picardia|australiano|americano|garafiano|de-beauce|de-los-pirineos)/, 'shepherd'],
  [/pastor-(de-asia|del-caucaso|de-karst|de-rusia|rumano|maremmano|polaco-de-tatra)|komondor|kuvasz|akbash|chuvach|gaddi|bakharwal|montana|mastin|shar-pei|terranova|landseer|bernardo|leonberger|chow/, 'molosser'],
  [/bearded|bobtail|pastor|puli$/, 'gundog'],
]

// A table of patterns.
// prettier-ignore
const FAMILY_BY_SECTION: readonly (readonly [RegExp, Family])[] = [
  [/sabueso|rastro|Teckel/, 'hound'], [/Lebreles/, 'sight'], [/primitivo/, 'primitive'], [/Spitz|nórdicos/, 'spitz'], [/Molosoides de talla/, 'flat'], [/Molosoides/, 'molosser'],
  [/bull/, 'bull'], [/compañía/, 'round'], [/Terriers/, 'terrier'], [/Pinscher/, 'pinscher'], [/levantadores/, 'spaniel'], [/agua/, 'round'], [/Bichon/, 'round'],
  [/Chihuahueño/, 'apple'], [/boyeros|pastor|montaña/, 'gundog'],
]

/** The head family. */
export function headFamily(f: PortraitFacts): Family {
  // Setters and pointing spaniels have the spaniel's dome; the other pointers the gundog's square.
  if (
    /setter|^spaniel|munsterlander|perdiguero-(de-drente|frison)|wachtelhund|kooiker|cocker|springer|boykin|largo$/.test(
      f.slug,
    ) &&
    f.fci_grupo !== 1 &&
    !/tibetano/.test(f.slug)
  )
    return 'spaniel'
  if (/ca-me|perdiguero|pachon|braco|grifon-de-muestra|vizsla|pointer|spinone/.test(f.slug)) return 'gundog'
  return (
    FAMILY_BY_NAME.find(([re]) => re.test(f.slug))?.[1] ??
    FAMILY_BY_SECTION.find(([re]) => re.test(f.fci_seccion ?? ''))?.[1] ??
    'gundog'
  )
}

/** The coat's edge, from the description of the coat. */
export function coatKind(f: PortraitFacts, fam: Family): Coat {
  const p = f.pelaje,
    long = /^(muy )?largo|semilargo|abundante|medio o largo/.test(p)
  if (/sin pelo/.test(p)) return 'hairless'
  if (/acordonado|rastas|fieltro/.test(p)) return 'corded'
  if (
    /(^|[ ,])rizado|tirabuzones|lanoso|corderil|copos|mechones/.test(p) &&
    !/alambre|largo, denso|largo, ondulado o/.test(p)
  )
    return 'curly'
  if (/corto o (largo|medio)|liso(, quebrado)? o duro|liso, duro|liso, cerde/.test(p)) return 'smooth'
  if (
    /enmarañado|caprino|flequillo|cubre los ojos|lanoso/.test(p) ||
    /bearded|schapendoes|polaco-de-las|rusia-meridional|catalan/.test(f.slug)
  )
    return 'shaggy'
  if (
    /alambre|barba|cejas|desgreñado|cerdoso|hirsut|crujiente|cerdeño, áspero|^duro|^largo, duro|áspero, con subpelo/.test(
      p,
    ) &&
    !p.startsWith('corto')
  )
    return 'wire'
  if (/^áspero, (ond|desg)/.test(p)) return 'wire'
  const toy = f.altura_cm_max <= 42
  if (toy && fam === 'round' && long) return 'silky'
  if (/melena|espeso|muy denso/.test(p) && (long || /melena/.test(p))) return fam === 'shepherd' ? 'long' : 'mane'
  if (fam === 'spitz') return /corto|^áspero|^denso/.test(p) ? 'medium' : 'fluffy'
  if (fam === 'sight' && long) return 'long'
  if (long || /sedoso|flecos/.test(p)) return 'long'
  if (/medio|doble capa|tupido|ondulado|semi|invern/.test(p) && !p.startsWith('corto')) return 'medium'
  return 'smooth'
}

/** The ear, from its four classes and the head. */
export function earKind(f: PortraitFacts, fam: Family, c: Coat, head: HeadType): EarKind {
  if (f.orejas === 'erguidas') {
    if (fam === 'spitz') return f.altura_cm_max < 40 ? 'small' : 'small'
    if (fam === 'primitive') return /podenco|cirneco|faraon|maneto/.test(f.slug) ? 'tall' : 'erect'
    if (fam === 'apple') return 'wing'
    if (fam === 'flat') return 'bat'
    if (fam === 'round' || fam === 'terrier' || fam === 'molosser') return 'small'
    return 'erect'
  }
  if (f.orejas === 'rosa') return fam === 'sight' ? 'roseBack' : 'rose'
  if (head === 'segugio') return 'pointed'
  if (head === 'laufhund' || head === 'grandHound') return 'curled'
  if (f.orejas === 'semierectas')
    return fam === 'flat' || fam === 'terrier' || fam === 'pinscher' || fam === 'bull' ? 'button' : 'semi'
  if (fam === 'hound')
    return /basset|gascuna|huberto|teckel|coonhound|artesiano|gascon|poitevin|suizo|espanol/.test(f.slug)
      ? 'hound'
      : 'long'
  if (fam === 'spaniel' || fam === 'poodle') return 'long'
  if (fam === 'molosser' || fam === 'bull') return c === 'long' || c === 'mane' ? 'fold' : 'vee'
  if (fam === 'flat' || fam === 'terrier' || fam === 'pinscher') return 'button'
  if (fam === 'sight') return c === 'long' ? 'long' : 'fold'
  if (fam === 'apple') return 'long'
  if (fam === 'round') return c === 'silky' || c === 'curly' ? 'drop' : 'fold'
  if (f.fci_grupo === 7) return 'drop'
  return fam === 'gundog' && c !== 'smooth' ? 'drop' : 'fold'
}
