#!/usr/bin/perl
# The parser "Standard" reads one reference and returns its identifiers, which begin with `doi:` in the reference.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Serve;
use Biblio::Citation::Parser::Standard;

my $parser = Biblio::Citation::Parser::Standard->new;

sub find {
    my ($input) = @_;
    return undef if $input->{text} !~ /doi:/;
    my $found = $parser->parse($input->{text});
    return { names => [ map { s/^doi:\s*//r } grep { /^doi:/ } @{ $found->{id} // [] } ] };
}

Serve::serve(find => \&find);
