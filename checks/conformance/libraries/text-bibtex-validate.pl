#!/usr/bin/perl
# Manual: `validate_BibTeX` checks the field doi, `clean_BibTeX` drops "the resolver URL part, as well as doi: prefixes".

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Serve;
use Text::BibTeX::Validate qw( clean_BibTeX validate_BibTeX );

my %promised = map { $_ => 1 } qw( name doi url none );

sub parse {
    my ($input, $notation) = @_;
    return undef if exists $input->{form} || !$promised{$notation};
    my $is_valid = !grep { "$_" =~ /does not look like valid DOI/ } validate_BibTeX({ doi => $input->{text} });
    return { name => $is_valid ? clean_BibTeX({ doi => $input->{text} })->{doi} : undef };
}

Serve::serve(parse => \&parse);
