/** Fifty names of the bundled sample directory, in spellings that catalogs hold. */
export const FIFTY_NAMES: readonly string[] = `
  10.1021/jacs.5c01100  10.5438/bc11-cqw1  10.5240/7481-838B-59CA-63D0-B9A8-E  10.2777/28598
  10.1103/PhysRevLett.118.140402  10.1177/0020720920940575  10.1371/journal.pone.0000030
  10.3389/fpsyg.2016.00565  10.5438/bv9z-dc66  10.5240/B1FA-0EEC-C316-3316-3A73-L
  10.1000/1  10.1000/182  10.1000/456  10.1000/456#789  10.1000/res#test  10.1000/demo_DOI
  10.123/456  10.123/456ABC/zyz  10.1006/rwei.1999".0001  10.4033/iee.2013.6b.6.f
  10.5594/SMPTE.ST2067-21.2020  10.6338/JDA.202212/SP_17(4).0000
  10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03  10.5555/multiurl  10.5555/unicode  10.5555/loc

  https://doi.org/10.1000/182  https://doi.org/10.1000/456%23789
  https://doi.org/10.1021/jacs.5c01100  https://doi.org/10.1103/PhysRevLett.118.140402
  https://doi.org/10.1177/0020720920940575  https://www.doi.org/10.5594/SMPTE.ST2067-21.2020
  https://doi.org/10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03
  http://dx.doi.org/10.1371/journal.pone.0000030  http://dx.doi.org/10.2777/28598
  doi.org/10.5240/7481-838B-59CA-63D0-B9A8-E
  https://doi.org/api/handles/10.3389/fpsyg.2016.00565
  https://doi.org/urn:doi:10.123:456ABC%2Fzyz  urn:doi:10.123:456ABC%2Fzyz
  urn:doi:10.4033:iee.2013.6b.6.f  info:doi/10.1000/182  info:doi/10.5438/bc11-cqw1
  hdl:10.5438/bv9z-dc66  doi:10.1000/456%23789  doi:10.1006/rwei.1999%22.0001
  DOI:10.1103/physrevlett.118.140402  10.1021/JACS.5C01100  10.1371/JOURNAL.PONE.0000030
  10.1000/DEMO_doi  <https://doi.org/10.3389/FPSYG.2016.00565>`
  .trim()
  .split(/\s+/);
